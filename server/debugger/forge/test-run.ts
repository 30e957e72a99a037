import type { UnoptimizedBuild } from '../../contracts/sources/program-source';
import { isCreationKind } from '../../evm/interpreter/frame';
import type { ForgeCall, ForgeCalls, NamedTest } from './forge-output';
import { runnerCode } from './runner-code';
import type { StepLists } from './step-lists';

/** "forge test" as an address: the account that stands for forge in a recording, and makes the calls that forge made. */
export const RUNNER = '0x00000000000000000000666f7267652074657374';
/** More than all calls of a test have together. */
const GAS = 2 ** 45;
/** No list of steps. */
const NO_STEPS = -1;

/** What forge executed one after the other, as calls of one account: so deployments, `setUp` and the test are one execution. */
export interface TestRun {
  /** The first one is that of the account that stands for forge. */
  readonly calls: ForgeCalls;
  /** Calls whose steps forge wrote: those of the last executions. */
  readonly stepped: ReadonlySet<ForgeCall>;
  /** Of the account that stands for forge, with its source. */
  readonly code: Uint8Array;
  readonly program: UnoptimizedBuild;
}

/** @param count executions from the end; default: all */
export function testRun(
  named: NamedTest,
  lists: StepLists,
  count = named.test.traces.length,
): TestRun {
  const traces = named.test.traces.slice(-count);
  const calls: ForgeCall[] = [];
  const stepped = new Set<ForgeCall>();
  const first: number[] = [];
  for (const [, { arena }] of traces) {
    const shift = calls.length + 1;
    first.push(shift);
    const hasSteps = arena.some(({ trace }) => lists.count(trace.steps) > 0);
    for (const one of arena) {
      const call = { ...one, children: one.children.map((child) => child + shift) };
      calls.push(call);
      if (hasSteps) stepped.add(call);
    }
  }
  const outer = first.map((index) => calls[index - 1]).filter((one) => one !== undefined);
  const last = outer.at(-1);
  if (!last) throw new RangeError('a test has no execution');
  const { success, caller, output, status, gas_used: gasUsed } = last.trace;
  const root: ForgeCall = {
    children: first,
    logs: [],
    ordering: first.map((_, child) => ({ Call: child })),
    trace: {
      success,
      caller,
      address: RUNNER,
      kind: 'CALL',
      value: '0x0',
      data: '0x',
      output: success ? '0x' : output,
      gas_used: gasUsed,
      gas_limit: GAS,
      status: success ? status : 'Revert',
      steps: NO_STEPS,
    },
  };
  return { calls: [root, ...calls], stepped, ...runnerCode(named, outer) };
}

/** The calls that forge made itself. */
export const outerCalls = ({ calls }: TestRun): ForgeCall[] =>
  (calls[0]?.children ?? []).flatMap((index) => calls[index] ?? []);

/** What a call begins with that forge makes itself, and that the code which stands for it does not repeat. */
export function givenTo({ trace }: ForgeCall): { input: Uint8Array; code?: Uint8Array } {
  const data = Buffer.from(trace.data.slice(2), 'hex');
  return isCreationKind(trace.kind) ? { input: new Uint8Array(0), code: data } : { input: data };
}

import type { Address, Hex } from '../../api/primitives';
import { inSlices, type Work } from '../../kernel/async/slices';
import { precompilesOf } from '../../evm/rules/precompiles';
import type { BlockEnvironment, Environment } from '../../evm/interpreter/environment';
import { isCreationKind } from '../../evm/interpreter/frame';
import { Machine } from '../../evm/interpreter/machine';
import { Pace } from '../../evm/interpreter/pace';
import { beginTransaction } from '../../evm/interpreter/transaction';
import type { Prestate, PrestateAccount } from '../../evm/interpreter/world';
import { CHEATCODES } from './cheatcodes';
import { ForgeCheats } from './forge-cheats';
import type { ForgeCall, ForgeCalls, ForgeTest, NamedTest } from './forge-output';
import type { ForkedState } from './forked-state';
import type { StepLists } from './step-lists';
import { RUNNER, testRun, type TestRun } from './test-run';

/** Rules that have each instruction that forge executes; its own gas is taken over. */
const HARDFORK = 'osaka';
const PRECOMPILES = precompilesOf(HARDFORK);
/** Of forge. */
const CHAIN_ID = 31_337;
/** Wei of the test contract and of its sender, as forge gives them. */
const INITIAL_BALANCE = 2n ** 96n - 1n;

/** Answers 0, as forge's chain without blocks; another answer is that of the steps. */
class NoHashes extends Map<bigint, bigint> {
  override get(): bigint {
    return 0n;
  }
}

const FIRST_BLOCK: BlockEnvironment = {
  number: 1n,
  timestamp: 1n,
  coinbase: `0x${'0'.repeat(40)}`,
  gasLimit: 1_073_741_824n,
  baseFee: 0n,
  random: 0n,
  blobBaseFee: 1n,
  slot: 0n,
  hashes: new NoHashes(),
};

/** What an execution of forge finds. */
export interface TestState {
  readonly prestate: Prestate;
  readonly block: BlockEnvironment;
  readonly chainId: number;
  /** Why the state may be another one; undefined if all of it follows from what forge executed. */
  readonly uncertain?: string;
}

export function environmentOf(
  { calls }: TestRun,
  { block, chainId }: Pick<TestState, 'block' | 'chainId'>,
  cheats: ForgeCheats,
): Environment {
  const { caller, address, gas_limit: gas } = outermost(calls).trace;
  return {
    chainId: BigInt(chainId),
    hardfork: HARDFORK,
    precompiles: PRECOMPILES,
    block,
    cheats,
    precompile: (target) =>
      PRECOMPILES.includes(target) ? { gasUsed: 0, isUnrecorded: true } : undefined,
    transaction: {
      from: caller,
      to: address,
      value: 0n,
      input: new Uint8Array(0),
      gas,
      gasPrice: 0n,
      accessList: [],
      blobHashes: [],
      delegations: [],
      intrinsicGas: 0,
    },
  };
}

export function outermost([first]: ForgeCalls): ForgeCall {
  if (!first) throw new RangeError('an execution of forge has no call');
  return first;
}

export const cheatsOf = (run: TestRun, lists: StepLists): ForgeCheats =>
  new ForgeCheats(run, lists, (address) => PRECOMPILES.includes(address));

/** What forge begins with. @param fork of which the test runs on */
export const firstState = (
  named: NamedTest,
  lists: StepLists,
  fork: ForkedState | undefined,
): TestState => ({
  prestate: initialState(named.test.traces, lists, fork),
  block: fork?.block ?? FIRST_BLOCK,
  chainId: fork?.chainId ?? CHAIN_ID,
});

/**
 * Executes what forge executed before the last execution: deployments, `setUp`, and the calls of an invariant's sequence.
 * @throws the signal's reason
 */
export async function stateBefore(
  named: NamedTest,
  lists: StepLists,
  fork: ForkedState | undefined,
  signal: AbortSignal,
): Promise<TestState> {
  let state = firstState(named, lists, fork);
  const { traces } = named.test;
  for (const index of traces.slice(0, -1).keys()) {
    const one = { ...named, test: { ...named.test, traces: traces.slice(0, index + 1) } };
    try {
      const run = testRun(one, lists, 1);
      state = await inSlices(execution(run, lists, state), signal);
    } catch (error) {
      signal.throwIfAborted();
      const uncertain = error instanceof Error ? error.message : 'it cannot be executed';
      state = { ...state, uncertain: state.uncertain ?? uncertain };
    }
  }
  return state;
}

function* execution(run: TestRun, lists: StepLists, before: TestState): Work<TestState> {
  const cheats = cheatsOf(run, lists);
  const prestate = withRunner(before.prestate, run);
  const machine = Machine.create(environmentOf(run, before, cheats), prestate);
  beginTransaction(machine);
  const pace = new Pace(machine);
  while (machine.frames.length > 0) {
    machine.step();
    const due = pace.due();
    if (due > 0) yield due;
  }
  const isSame = (machine.end?.kind === 'returned') === outermost(run.calls).trace.success;
  const uncertain =
    before.uncertain ??
    cheats.steps.difference ??
    (isSame ? undefined : 'deployment or setUp end in another way than in forge');
  return {
    prestate: machine.world.after(),
    block: machine.environment.block,
    chainId: before.chainId,
    ...(uncertain !== undefined && { uncertain }),
  };
}

/** With the account that stands for forge. */
export function withRunner({ accounts }: Prestate, { code }: TestRun): Prestate {
  const runner = { balance: INITIAL_BALANCE, nonce: 1, code, storage: new Map<bigint, bigint>() };
  return { accounts: new Map([...accounts, [RUNNER, runner]]) };
}

/** The accounts that forge begins with, and contracts of which no creation is known: those of the fork, else as far as their code is executed. */
function initialState(
  traces: ForgeTest['traces'],
  lists: StepLists,
  fork: ForkedState | undefined,
): Prestate {
  const accounts = new Map<string, PrestateAccount>(fork?.accounts);
  const rich = (address: string): void => {
    const empty = { nonce: 0, code: new Uint8Array(0), storage: new Map<bigint, bigint>() };
    accounts.set(address, { ...empty, ...accounts.get(address), balance: INITIAL_BALANCE });
  };
  // Code makes compilers' checks of the callee pass.
  const code = Uint8Array.of(0);
  accounts.set(CHEATCODES, { balance: 0n, nonce: 0, code, storage: new Map() });
  const created = createdIn(traces);
  for (const [kind, { arena }] of traces) {
    const { caller, address } = outermost(arena).trace;
    rich(caller);
    if (kind === 'Deployment') rich(address);
  }
  for (const [, { arena }] of traces) {
    for (const { trace } of arena) {
      const { address, steps } = trace;
      if (created.has(address) || lists.count(steps) === 0) continue;
      if (fork?.accounts.has(address) === true) continue;
      const known = accounts.get(address);
      const code = merged(known?.code ?? new Uint8Array(0), lists.codeOf(steps));
      const storage = new Map<bigint, bigint>();
      accounts.set(address, { balance: 0n, nonce: 1, ...known, code, storage });
    }
  }
  return { accounts };
}

/** Contracts that the executions create. */
export const createdIn = (traces: ForgeTest['traces']): Set<string> =>
  new Set(
    traces.flatMap(([, { arena }]) =>
      arena.flatMap(({ trace }) => (isCreationKind(trace.kind) ? trace.address : [])),
    ),
  );

function merged(one: Uint8Array, other: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.max(one.length, other.length));
  whole.set(one);
  for (const [at, byte] of other.entries()) if (byte !== 0) whole[at] = byte;
  return whole;
}

/** Code that the executions of a test created, by address. */
export function createdCodes({ traces }: ForgeTest): Map<Address, Hex> {
  const codes = new Map<Address, Hex>();
  for (const [, { arena }] of traces) {
    for (const { trace } of arena) {
      if (!isCreationKind(trace.kind) || !trace.success) continue;
      codes.set(trace.address as Address, trace.output as Hex);
    }
  }
  return codes;
}

import type { FrameEnd } from '../../evm/interpreter/execution';
import { isCreationKind, type FrameContext } from '../../evm/interpreter/frame';
import type { Answer, Cheats } from '../../evm/interpreter/cheats';
import type { Machine } from '../../evm/interpreter/machine';
import { CONSOLE } from '../../analysis/decoding/console';
import { CHEATCODES, effectOf, readCheat } from './cheatcodes';
import type { ForgeCall, ForgeCalls } from './forge-output';
import { Pranks } from './pranks';
import { EXPECTED_REVERT, StepComparison } from './step-comparison';
import type { StepLists } from './step-lists';
import { givenTo, type TestRun } from './test-run';

/** The execution does not go the way that forge's went. */
export class OtherExecution extends Error {
  override readonly name = 'OtherExecution';
}

/** The frame of the account that stands for forge. */
const RUNNER_FRAME = 0;
/** Calls that never began. */
const REFUSED = new Set(['OutOfFunds', 'CallTooDeep']);

interface Begun {
  readonly call: ForgeCall;
  readonly context: FrameContext;
  readonly answer?: Answer | undefined;
}

/**
 * Leads an execution the way that forge's went: by its calls, which name what cheatcodes and precompiled contracts answered, and by its steps
 * where forge wrote them. The first execution notes what differs from the rules; copies that execute again are corrected in the same way.
 */
export class ForgeCheats implements Cheats {
  readonly steps: StepComparison;
  readonly #begun = new Map<number, Begun>();
  readonly #parents = new Map<number, number>();
  readonly #senders = new Map<number, string>();
  readonly #seen = new Map<number, FrameEnd>();
  /** Calls that a frame has made. */
  readonly #made = new Map<number, number>();
  readonly #pranks = new Pranks();
  /** Depth of the calls of which the next is expected to revert. */
  readonly #expected = new Set<number>();

  readonly #calls: ForgeCalls;

  constructor(
    private readonly run: Pick<TestRun, 'calls' | 'stepped'>,
    private readonly lists: StepLists,
    private readonly isPrecompile: (address: string) => boolean,
  ) {
    this.#calls = run.calls;
    this.steps = new StepComparison(lists, (frame) => {
      const call = this.#begun.get(frame)?.call;
      return call && run.stepped.has(call) ? call : undefined;
    });
  }

  sender(frame: number, parent: number, caller: FrameContext): string {
    const known = this.#senders.get(frame);
    if (known !== undefined) return known;
    const next = this.#next(parent);
    if (!next || this.#isTool(next)) return caller.address;
    if (parent === RUNNER_FRAME) return next.trace.caller;
    const { kind, steps } = next.trace;
    const isOwn = kind !== 'DELEGATECALL' && kind !== 'CALLCODE';
    const pranked = this.#pranks.take(caller.address, caller.depth);
    const observed = isOwn && this.run.stepped.has(next) ? this.lists.callerOf(steps) : undefined;
    const sender = observed ?? pranked ?? caller.address;
    this.#senders.set(frame, sender);
    return sender;
  }

  created(_frame: number, parent: number | undefined, computed: string): string {
    const call = parent === undefined ? this.#calls[0] : this.#next(parent);
    return call?.trace.address ?? computed;
  }

  begin(frame: number, parent: number | undefined, context: FrameContext): Begun {
    const known = this.#begun.get(frame);
    if (known) return known;
    const call = parent === undefined ? this.#calls[0] : this.#take(parent);
    if (!call) throw new OtherExecution(`forge made no call of ${context.codeAddress} there`);
    const isOuter = parent === RUNNER_FRAME;
    if (!isOuter) this.#requireSame(call, context);
    if (parent !== undefined) this.#parents.set(frame, parent);
    const isPrecompile = !isCreationKind(context.kind) && this.isPrecompile(context.codeAddress);
    const answer = this.#isAnswered(call, context, isPrecompile) ? this.#answer(call) : undefined;
    const caller = parent === undefined ? undefined : this.#begun.get(parent)?.context;
    const cheat = this.#isTool(call) && caller ? readCheat(call.trace.data) : undefined;
    if (cheat && caller) {
      this.#pranks.note(cheat, caller.address, caller.depth);
      if (/^expect(Partial)?Revert$/.test(cheat.name)) this.#expected.add(context.depth);
    }
    const effect = cheat && call.trace.success ? effectOf(cheat) : undefined;
    const begun = {
      call,
      context: { ...context, ...(isOuter && givenTo(call)), gas: call.trace.gas_limit },
      answer: answer && { ...answer, ...(effect && { effect }) },
    };
    this.#begun.set(frame, begun);
    return begun;
  }

  endSeen(frame: number, end: FrameEnd): FrameEnd {
    const known = this.#seen.get(frame);
    if (known) return known;
    const begun = this.#begun.get(frame);
    const seen = (begun && this.#endSeenFirst(frame, begun, end)) ?? end;
    this.#seen.set(frame, seen);
    return seen;
  }

  isCorrected(frame: number): boolean {
    return this.steps.corrected.has(frame);
  }

  after(machine: Machine, step: number): void {
    // The steps of other code are others.
    if (!machine.guide) this.steps.after(machine, step);
    if (machine.frames.length !== 1) return;
    // Each call of forge is a transaction.
    const { precompiles, block, transaction } = machine.environment;
    machine.world.beginNext([...precompiles, block.coinbase, transaction.from]);
  }

  #endSeenFirst(frame: number, { call, context }: Begun, end: FrameEnd): FrameEnd | undefined {
    const parent = this.#parents.get(frame);
    if (parent === undefined) return undefined;
    if (this.#isStepped(parent)) return this.steps.endSeen(parent, end);
    if (this.#isTool(call) || !this.#expected.delete(context.depth)) return undefined;
    return end.kind === 'returned' ? undefined : { kind: 'returned', output: EXPECTED_REVERT };
  }

  #isStepped(frame: number): boolean {
    const { call } = this.#begun.get(frame) ?? {};
    return call !== undefined && this.run.stepped.has(call);
  }

  #next(parent: number): ForgeCall | undefined {
    const { children = [] } = this.#begun.get(parent)?.call ?? {};
    return this.#calls[children[this.#made.get(parent) ?? 0] ?? -1];
  }

  /** The next call of a frame that began. */
  #take(parent: number): ForgeCall | undefined {
    for (;;) {
      const call = this.#next(parent);
      this.#made.set(parent, (this.#made.get(parent) ?? 0) + 1);
      if (!REFUSED.has(call?.trace.status ?? '')) return call;
    }
  }

  #isTool({ trace: { address } }: ForgeCall): boolean {
    return address === CHEATCODES || address === CONSOLE;
  }

  #isAnswered(call: ForgeCall, { code }: FrameContext, isPrecompile: boolean): boolean {
    const { trace, children } = call;
    if (isPrecompile || this.#isTool(call)) return true;
    if (this.run.stepped.has(call)) {
      const isPlain = code.length === 0 && trace.success && trace.output === '0x';
      return this.lists.count(trace.steps) === 0 && !isPlain;
    }
    // A mocked call: code that is executed uses gas.
    return code.length > 0 && trace.gas_used === 0 && children.length === 0;
  }

  #answer({ trace }: ForgeCall): Answer {
    const { success, status, output, gas_used: gasUsed } = trace;
    const bytes = Buffer.from(output.slice(2), 'hex');
    if (success) return { kind: 'returned', output: bytes, gasUsed };
    if (status === 'Revert') return { kind: 'reverted', output: bytes, gasUsed };
    return { kind: 'halted', output: bytes, gasUsed, reason: wordsOf(status) };
  }

  /** @throws OtherExecution */
  #requireSame({ trace }: ForgeCall, context: FrameContext): void {
    const { kind, address, data } = trace;
    const input = isCreationKind(context.kind) ? context.code : context.input;
    const isSame =
      kind === context.kind &&
      address === context.codeAddress &&
      data.toLowerCase() === `0x${Buffer.from(input).toString('hex')}`;
    if (isSame) return;
    throw new OtherExecution(
      `forge made a ${kind} of ${address}, and the execution here a ${context.kind} of ${context.codeAddress}${kind === context.kind && address === context.codeAddress ? ' with other data' : ''}`,
    );
  }
}

/** `OutOfGas` as words. */
export const wordsOf = (status: string | null): string =>
  (status ?? 'failed').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

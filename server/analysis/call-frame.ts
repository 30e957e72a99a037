import type { Address, Hash, Hex } from '../api/primitives';
import { atOnce, STEPS_PER_YIELD, type Work } from '../ethereum/slices';

export const CALL_TYPES = [
  'CALL',
  'STATICCALL',
  'DELEGATECALL',
  'CALLCODE',
  'CREATE',
  'CREATE2',
  'SELFDESTRUCT',
] as const;
export type CallType = (typeof CALL_TYPES)[number];

export interface Log {
  /** Contract in whose name it was emitted: under a proxy the proxy. */
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Hex;
}

/** One call, creation or self-destruction, as it was executed. Nothing in it is decoded. */
export interface CallFrame {
  readonly type: CallType;
  /** Executing account: of a DELEGATECALL the proxy, of a SELFDESTRUCT the destroyed contract. */
  readonly from: Address;
  /** Account whose code runs; of a creation the new contract, of a SELFDESTRUCT the beneficiary; null where unknown. */
  readonly to: Address | null;
  /** Wei; 0 for STATICCALL and DELEGATECALL; of a SELFDESTRUCT the balance, also where it stays (EIP-6780, to itself). */
  readonly value: bigint;
  /** The tracer does not tell the value; set for a SELFDESTRUCT to itself alone. */
  readonly isValueUnknown?: true;
  /** With the gas of all calls below. */
  readonly gasUsed: number;
  readonly input: Hex;
  readonly output: Hex;
  /** The engine's words where the frame failed, else undefined. */
  readonly error?: string;
  /** The tracer's own reading of the revert data. */
  readonly revertReason?: string;
  /** What the frame did, in order. */
  readonly items: readonly FrameItem[];
}

export type FrameItem = CallFrame | Log;

export const isLog = (item: FrameItem): item is Log => 'topics' in item;

/** A call or a log at its place in the execution. */
export interface Step {
  /** The call itself, or the frame that emitted the log. */
  readonly frame: CallFrame;
  /** Undefined for the call itself. */
  readonly log: Log | undefined;
  /** Calls above the frame; 0 for the top one. */
  readonly depth: number;
  /** The frame's effects were rolled back, by itself or by a caller. */
  readonly reverted: boolean;
}

export const isCreation = (frame: CallFrame): boolean =>
  frame.type === 'CREATE' || frame.type === 'CREATE2';

/** What a frame did and all below it, as a list. */
interface Execution {
  readonly steps: readonly Step[];
  readonly characters: number;
}

/** Of each trace: every view goes through it, and it is as immutable as the trace. */
const executions = new WeakMap<CallFrame, Execution>();

/** All calls and logs in execution order. */
export const executionSteps = (root: CallFrame): readonly Step[] => executionOf(root).steps;

/** Hex digits of all call data, return data and event data. */
export const dataLength = (root: CallFrame): number => executionOf(root).characters;

const executionOf = (root: CallFrame): Execution =>
  executions.get(root) ?? atOnce(executionWork(root));

/**
 * Lists the steps of a trace as work that can be interrupted: whoever asks for them later has them at once. Without recursion, since a
 * trace may be 1,024 calls deep.
 */
export function* executionWork(root: CallFrame): Work<Execution> {
  const steps: Step[] = [];
  const open: { readonly step: Step; next: number }[] = [];
  let characters = 0;
  const enter = (frame: CallFrame, callerReverted: boolean): void => {
    const reverted = callerReverted || frame.error !== undefined;
    const step = { frame, log: undefined, depth: open.length, reverted };
    steps.push(step);
    characters += frame.input.length + frame.output.length;
    if (frame.items.length > 0) open.push({ step, next: 0 });
  };
  enter(root, false);
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { frame, depth, reverted } = top.step;
    const item = frame.items[top.next++];
    if (!item) {
      open.pop();
      continue;
    }
    if (isLog(item)) {
      steps.push({ frame, log: item, depth, reverted });
      characters += item.data.length;
    } else enter(item, reverted);
    if (steps.length % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  const execution = { steps, characters };
  executions.set(root, execution);
  return execution;
}

import type { Address, Hash, Hex } from '../api/primitives';
import { atOnce, STEPS_PER_YIELD, type Work } from '../kernel/async/slices';

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
  /** Contract that emitted the log; under a proxy, the proxy. */
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Hex;
}

/** One call, creation or self-destruction as executed, not decoded. */
export interface CallFrame {
  readonly type: CallType;
  /** Executing account. DELEGATECALL: the proxy. SELFDESTRUCT: the destroyed contract. */
  readonly from: Address;
  /** Account whose code runs. Creation: the new contract. SELFDESTRUCT: the beneficiary. Null if unknown. */
  readonly to: Address | null;
  /**
   * Wei; 0 for STATICCALL and DELEGATECALL. SELFDESTRUCT: the balance, even if it stays (EIP-6780, or the contract itself as beneficiary).
   */
  readonly value: bigint;
  /** The tracer does not report the value; set only for a SELFDESTRUCT to itself. */
  readonly isValueUnknown?: true;
  /** Includes the gas of all nested calls. */
  readonly gasUsed: number;
  readonly input: Hex;
  readonly output: Hex;
  /** The engine's error message if the frame failed, else undefined. */
  readonly error?: string;
  /** Revert reason as decoded by the tracer. */
  readonly revertReason?: string;
  /** Calls and logs of the frame, in execution order. */
  readonly items: readonly FrameItem[];
}

export type FrameItem = CallFrame | Log;

export const isLog = (item: FrameItem): item is Log => 'topics' in item;

/** A call or a log with its place in the execution. */
export interface Step {
  /** Index in the execution: that of the node in the invocation flow. */
  readonly id: number;
  /** Id of the call above it; of a log, the call that emitted it; -1 for the top call. */
  readonly parent: number;
  /** Id after the last step inside it. */
  readonly end: number;
  /** The call itself, or the frame that emitted the log. */
  readonly frame: CallFrame;
  /** Undefined for the call itself. */
  readonly log: Log | undefined;
  /** Number of calls above the frame; 0 for the top call. */
  readonly depth: number;
  /** The frame's effects were rolled back by the frame itself or by a caller. */
  readonly reverted: boolean;
}

export const isCreation = (frame: CallFrame): boolean =>
  frame.type === 'CREATE' || frame.type === 'CREATE2';

/** A frame and all steps below it, as a list. */
interface Execution {
  readonly steps: readonly Step[];
  readonly characters: number;
}

/** By trace: every view reads the list, and it is as immutable as the trace. */
const executions = new WeakMap<CallFrame, Execution>();

/** All calls and logs in execution order. The index of a step is its id. */
export const executionSteps = (root: CallFrame): readonly Step[] => executionOf(root).steps;

/** Hex digits of all call data, return data and event data. */
export const dataLength = (root: CallFrame): number => executionOf(root).characters;

const executionOf = (root: CallFrame): Execution =>
  executions.get(root) ?? atOnce(executionWork(root));

/**
 * Lists the steps of a trace as interruptible work, and caches the list for later callers. Not recursive, since a trace may be 1,024
 * calls deep.
 */
export function* executionWork(root: CallFrame): Work<Execution> {
  const steps: Step[] = [];
  const open: { readonly step: Step & { end: number }; next: number }[] = [];
  let characters = 0;
  const enter = (frame: CallFrame, callerReverted: boolean): void => {
    const [id, parent] = [steps.length, open.at(-1)?.step.id ?? -1];
    const reverted = callerReverted || frame.error !== undefined;
    const step = { id, parent, end: id + 1, frame, log: undefined, depth: open.length, reverted };
    steps.push(step);
    characters += frame.input.length + frame.output.length;
    if (frame.items.length > 0) open.push({ step, next: 0 });
  };
  enter(root, false);
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { id: parent, frame, depth, reverted } = top.step;
    const item = frame.items[top.next++];
    if (!item) {
      top.step.end = steps.length;
      open.pop();
      continue;
    }
    if (isLog(item)) {
      const id = steps.length;
      steps.push({ id, parent, end: id + 1, frame, log: item, depth, reverted });
      characters += item.data.length;
    } else enter(item, reverted);
    if (steps.length % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  const execution = { steps, characters };
  executions.set(root, execution);
  return execution;
}

/** The calls above a step, nearest first. */
export function* callsAbove(steps: readonly Step[], step: Step): Generator<Step> {
  for (let above = steps[step.parent]; above; above = steps[above.parent]) yield above;
}

/** Whether a node is a step itself or inside it. */
export const isInside = ({ id, end }: Step, node: number): boolean => node >= id && node < end;

import { executionSteps, isCreation, type CallFrame, type Log } from '../../analysis/call-frame';
import { toWord } from '../../evm/forms/quantity';
import type { RecordedFrame, RecordedLog, Recording } from '../recording/recording';

/** Nodes of the invocation flow, which are calls and events in the order of execution. */
export interface FlowNodes {
  /** By index of the frame. */
  readonly ofFrame: ReadonlyMap<number, number>;
  /** By index of the log. */
  readonly ofLog: ReadonlyMap<number, number>;
}

/**
 * Finds the nodes of a recording's frames and logs. Tracers differ in what they list: they leave out logs of reverted calls, and list calls
 * that never began.
 */
export function flowNodes({ frames, logs }: Recording, root: CallFrame): FlowNodes {
  const ofFrame = new Map<number, number>();
  const ofLog = new Map<number, number>();
  const logsOf = new Map<number, [index: number, log: RecordedLog][]>();
  for (const [index, log] of logs.entries()) {
    const own = logsOf.get(log.frame);
    if (own) own.push([index, log]);
    else logsOf.set(log.frame, [[index, log]]);
  }
  /** Index of the open frames, by depth. */
  const path: (number | undefined)[] = [];
  let next = 0;
  for (const [nodeId, { frame, log, depth }] of executionSteps(root).entries()) {
    if (log) {
      const own = logsOf.get(path[depth] ?? -1) ?? [];
      const at = own.findIndex(([, one]) => isSameLog(one, log));
      const [index] = own[at] ?? [];
      if (index === undefined) continue;
      ofLog.set(index, nodeId);
      own.splice(0, at + 1);
      continue;
    }
    const index = findCall(frames, next, path[depth - 1], frame);
    path[depth] = index;
    if (index === undefined) continue;
    ofFrame.set(index, nodeId);
    next = index + 1;
  }
  return { ofFrame, ofLog };
}

/** Calls that a tracer may leave out one after the other. */
const SKIPPED = 64;

function findCall(
  frames: readonly RecordedFrame[],
  from: number,
  parent: number | undefined,
  frame: CallFrame,
): number | undefined {
  for (let index = from; index < Math.min(from + SKIPPED, frames.length); index++) {
    const one = frames[index];
    if (one && one.parent === parent && isSameCall(one, frame)) return index;
  }
  return undefined;
}

const isSameCall = ({ context }: RecordedFrame, frame: CallFrame): boolean =>
  context.kind === frame.type &&
  (isCreation(frame) || frame.to === null || frame.to === context.codeAddress) &&
  (isCreation(frame) ? context.code : context.input).length === (frame.input.length - 2) / 2;

const isSameLog = ({ address, topics, data }: RecordedLog, log: Log): boolean =>
  address === log.address.toLowerCase() &&
  topics.length === log.topics.length &&
  topics.every((topic, index) => toWord(topic) === log.topics[index]) &&
  data.length === (log.data.length - 2) / 2;

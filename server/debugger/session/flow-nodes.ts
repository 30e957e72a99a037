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
  const logsOf = new Map<number, FrameLogs>();
  for (const [index, log] of logs.entries()) {
    const own = logsOf.get(log.frame);
    if (own) own.all.push([index, log]);
    else logsOf.set(log.frame, { all: [[index, log]], next: 0 });
  }
  /** Index of the open frames, by depth. */
  const path: (number | undefined)[] = [];
  let next = 0;
  for (const [nodeId, { frame, log, depth }] of executionSteps(root).entries()) {
    if (log) {
      const index = findLog(logsOf.get(path[depth] ?? -1), log);
      if (index !== undefined) ofLog.set(index, nodeId);
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

/** Calls or logs that a tracer may leave out one after the other. */
const SKIPPED = 64;

/** Logs of a frame with their indexes, and how many of them precede the next one to find. */
interface FrameLogs {
  readonly all: [index: number, log: RecordedLog][];
  next: number;
}

function findLog(own: FrameLogs | undefined, log: Log): number | undefined {
  if (!own) return undefined;
  for (let at = own.next; at < Math.min(own.next + SKIPPED, own.all.length); at++) {
    const [index, one] = own.all[at] ?? [];
    if (!one || !isSameLog(one, log)) continue;
    own.next = at + 1;
    return index;
  }
  return undefined;
}

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
  data.length === (log.data.length - 2) / 2 &&
  topics.length === log.topics.length &&
  address === log.address.toLowerCase() &&
  topics.every((topic, index) => toWord(topic) === log.topics[index]);

import type { FlowRow } from '../protocol/protocol';

/** Whether two calls have the same arguments, or two events the same topics and data. */
export function sameInput(left: FlowRow, right: FlowRow): boolean {
  if (left.nodeType === 0 && right.nodeType === 0) {
    return left.invocation.callData === right.invocation.callData;
  }
  if (left.nodeType === 0 || right.nodeType === 0) return false;
  const [a, b] = [left.event, right.event];
  return (
    a.logData === b.logData &&
    a.topics.length === b.topics.length &&
    a.topics.every((topic, at) => topic === b.topics[at])
  );
}

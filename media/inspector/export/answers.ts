import type { InvocationFlow, TraceNode } from '../../../server/api/explorer';
import { ROOT_INVOCATION } from '../../../server/api/root-invocation';
import type { Flow, FlowRow } from '../protocol/protocol';
import type { Exported } from './report';

function idOf(row: FlowRow): number {
  return row.nodeType === 0 ? row.invocation.id : row.event.id;
}

function invocationFlowOf({ rows, status, ...facts }: Flow): object {
  const root: TraceNode = { id: ROOT_INVOCATION.id, depth: -1, children: [] };
  const dataMap: InvocationFlow['dataMap'] = {
    [ROOT_INVOCATION.id]: { nodeType: 0, invocation: ROOT_INVOCATION },
  };
  const open = [root];
  for (const row of rows) {
    const { depth, ...data } = row;
    const node: TraceNode = { id: idOf(row), depth, children: [] };
    dataMap[String(node.id)] = data;
    while (open.length > 1 && (open.at(-1)?.depth ?? -1) >= depth) open.pop();
    open.at(-1)?.children.push(node);
    open.push(node);
  }
  return { status, trace: [root], dataMap, ...facts };
}

/** Rebuilds the service's responses by operation from the parts that the inspector holds. */
export function answersOf({ flow, stateDiff, gasProfile, ...same }: Exported): object {
  const { status } = flow;
  const wrapped = (name: string, part: { labels: Flow['labels'] } | undefined): object => {
    if (!part) return {};
    const { labels, ...answer } = part;
    return { [name]: { status, [name]: answer, labels } };
  };
  return {
    invocationFlow: invocationFlowOf(flow),
    ...same,
    ...wrapped('stateDiff', stateDiff),
    ...wrapped('gasProfile', gasProfile),
  };
}

import type { Invocation, InvocationFlow, TraceNode } from '../../../server/api/explorer';
import type { Flow, FlowRow } from '../protocol/protocol';
import type { Exported } from './report';

/** The root of every invocation flow: an empty frame around the top call. */
const ROOT: Invocation = {
  fromAddress: '',
  address: '',
  operation: '',
  value: '',
  callData: '',
  decodedMethod: null,
  methodDecoded: false,
  selector: '',
  gasUsed: 0,
  id: -1,
  output: '',
  status: false,
  revert: false,
  revertMessage: '',
  errorInfo: '',
};

function idOf(row: FlowRow): number {
  return row.nodeType === 0 ? row.invocation.id : row.event.id;
}

function invocationFlowOf({ rows, status, ...facts }: Flow): object {
  const root: TraceNode = { id: -1, depth: -1, children: [] };
  const dataMap: InvocationFlow['dataMap'] = { '-1': { nodeType: 0, invocation: ROOT } };
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

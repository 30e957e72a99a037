import type { InvocationFlow, TraceNode } from '../../server/api/explorer';
import type { Flow, FlowRow } from '../../media/inspector/protocol';

/** The tree of an invocation flow as rows in execution order, the empty root left out. Does not recurse. */
function rowsOf({ trace, dataMap }: InvocationFlow): FlowRow[] {
  const rows: FlowRow[] = [];
  const pending: TraceNode[] = [...trace].reverse();
  for (let node = pending.pop(); node; node = pending.pop()) {
    const data = dataMap[String(node.id)];
    if (data && node.depth >= 0) rows.push({ ...data, depth: node.depth });
    for (let child = node.children.length - 1; child >= 0; child--) {
      const next = node.children[child];
      if (next) pending.push(next);
    }
  }
  return rows;
}

/** The answer of the service in the form in which the webview takes it. */
export function flowForWebview(answer: InvocationFlow): Flow {
  const { status, transaction, labels, verification } = answer;
  return { status, transaction, labels, verification, rows: rowsOf(answer) };
}

import type { Invocation } from '../../../server/api/explorer';
import type { ExecutedNode, FlowRow, InternalCall } from '../protocol/protocol';
import { nodeId } from './tree-model';

/** Operation of a call of a function inside a contract, as in recordings. */
export const INTERNAL = 'JUMP';

/** Whether a row is a call of a function inside a contract, which the trace does not contain. */
export const isInternal = (row: FlowRow): boolean =>
  row.nodeType === 0 && row.invocation.operation === INTERNAL;

/**
 * Puts calls of functions inside contracts between the rows of a call tree, one level deeper than their callers.
 * @param nodes in order of execution. Rows that they lack, such as calls of accounts without code, stay behind the row before them.
 */
export function withInternalRows(
  rows: readonly FlowRow[],
  nodes: readonly ExecutedNode[],
): FlowRow[] {
  const merged: FlowRow[] = [];
  const executed = new Set(nodes.flatMap(({ nodeId }) => nodeId ?? []));
  /** Levels that calls inside contracts add, by the depth of the row. */
  const added: number[] = [];
  let next = 0;

  function put(row: FlowRow, depth: number): void {
    added[row.depth] = depth - row.depth;
    merged.push(depth === row.depth ? row : { ...row, depth });
  }
  /** Puts rows up to a node, or those that the nodes lack. */
  function putRows(until: number | undefined, depth: number): void {
    for (let row = rows[next]; row; row = rows[next]) {
      const id = nodeId(row);
      if (id !== until && executed.has(id)) return;
      next++;
      put(row, id === until ? depth : row.depth + (added[row.depth - 1] ?? 0));
      if (id === until) return;
    }
  }

  for (const { nodeId, depth, internal } of nodes) {
    if (internal) {
      putRows(undefined, 0);
      merged.push(internalRow(internal, depth));
    } else if (nodeId !== undefined) putRows(nodeId, depth);
  }
  for (const row of rows.slice(next)) put(row, row.depth + (added[row.depth - 1] ?? 0));
  return merged;
}

/** Ids of nodes start at 0: those of calls inside contracts are below. */
export const internalId = (call: number): number => -2 - call;

/** The call of the recording that a row inside a contract shows; undefined for other rows. */
export const internalCallOf = (row: FlowRow): number | undefined =>
  isInternal(row) ? -2 - nodeId(row) : undefined;

function internalRow(
  { call, name, contract, address, arguments: callParams }: InternalCall,
  depth: number,
): FlowRow {
  const invocation: Invocation = {
    id: internalId(call),
    fromAddress: address,
    address,
    operation: INTERNAL,
    value: '',
    callData: '0x',
    selector: '',
    output: '',
    gasUsed: 0,
    status: true,
    revert: false,
    revertMessage: '',
    errorInfo: '',
    methodDecoded: true,
    decodedMethod: {
      name,
      callParams: callParams ?? [],
      returnParams: [],
      constructorArguments: '',
      signature: signatureOf(name, contract, callParams),
    },
  };
  return { nodeType: 0, invocation, depth };
}

const signatureOf = (name: string, contract: string, params: InternalCall['arguments']): string => {
  const types = params?.map(({ type }) => type).join(', ') ?? '…';
  return `${contract === '' ? '' : `${contract}.`}${name}(${types})`;
};

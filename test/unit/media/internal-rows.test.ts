import assert from 'node:assert/strict';
import { failureOrigin, buildCallTree, nodeId } from '../../../media/inspector/model/tree-model';
import {
  internalCallOf,
  isInternal,
  withInternalRows,
} from '../../../media/inspector/model/internal-rows';
import type { ExecutedNode } from '../../../media/inspector/protocol/protocol';
import { sandboxParts } from '../../ui-components/fixtures';

const internal = (call: number, name: string, depth: number): ExecutedNode => ({
  depth,
  internal: {
    call,
    name,
    contract: 'EtherVault',
    address: '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690',
    arguments: [{ name: 'amount', type: 'uint256', value: '?' }],
  },
});

describe('calls inside contracts', () => {
  const { rows } = sandboxParts('exploit-reentrancy').flow;
  const [top, first, event, second, third] = rows.slice(0, 5).map(nodeId) as [
    ...[number, number, number, number, number],
  ];

  it('are between the rows of the trace, which move one level down inside them', () => {
    const nodes: ExecutedNode[] = [
      { nodeId: top, depth: 0 },
      internal(1, '_begin', 1),
      { nodeId: first, depth: 2 },
      internal(3, '_note', 3),
      { nodeId: event, depth: 4 },
      { nodeId: second, depth: 1 },
      { nodeId: third, depth: 2 },
    ];
    const merged = withInternalRows(rows, nodes);
    assert.deepEqual(
      merged.slice(0, 7).map((row) => [isInternal(row) ? 'inside' : nodeId(row), row.depth]),
      [
        [top, 0],
        ['inside', 1],
        [first, 2],
        ['inside', 3],
        [event, 4],
        [second, 1],
        [third, 2],
      ],
    );
    assert.equal(merged.length, rows.length + 2);
    assert.deepEqual(merged.slice(0, 4).map(internalCallOf), [undefined, 1, undefined, 3]);
    const { decodedMethod } = (merged[1] as { invocation: { decodedMethod: object } }).invocation;
    assert.deepEqual(
      [decodedMethod].map((method) => (method as { signature: string }).signature),
      ['EtherVault._begin(uint256)'],
    );
  });

  it('leave rows that the recording lacks behind the row before them', () => {
    const merged = withInternalRows(rows, [{ nodeId: top, depth: 0 }, internal(1, '_begin', 1)]);
    assert.deepEqual(
      merged.map((row) => (isInternal(row) ? 'inside' : nodeId(row))),
      [...rows.map(nodeId), 'inside'],
    );
    assert.deepEqual(
      merged.slice(0, -1).map(({ depth }) => depth),
      rows.map(({ depth }) => depth),
    );
  });

  it('change nothing where there are none', () => {
    const nodes = rows.map((row) => ({ nodeId: nodeId(row), depth: row.depth }));
    assert.deepEqual(withInternalRows(rows, nodes), rows);
    assert.equal(failureOrigin(buildCallTree(rows)), undefined);
  });
});

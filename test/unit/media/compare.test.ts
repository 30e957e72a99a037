import assert from 'node:assert/strict';
import { buildCallTree, type CallTree } from '../../../media/inspector/model/tree-model';
import { alignTrees } from '../../../media/inspector/compare/align-trees';
import { compareBalances } from '../../../media/inspector/compare/compare-balances';
import { compareRows, type Comparison } from '../../../media/inspector/compare/differences';
import type { FlowRow } from '../../../media/inspector/protocol/protocol';
import type { AssetChange, Invocation } from '../../../server/api/explorer';
import { callRow, hugeRows } from '../../ui-components/fixtures';

type Call = [depth: number, method: string, overrides?: Partial<Invocation>];

/** A tree of calls, with a letter for each method. */
function treeOf(...calls: Call[]): CallTree {
  return buildCallTree(
    calls.map(([depth, method, overrides]) =>
      callRow(depth, {
        selector: `0x${method.charCodeAt(0).toString(16).padStart(8, '0')}`,
        ...overrides,
      }),
    ),
  );
}

const pairs = (left: CallTree, right: CallTree): string =>
  alignTrees(left, right)
    .map(({ left: l, right: r }) => `${l < 0 ? '·' : l}${r < 0 ? '·' : r}`)
    .join(' ');

function compare(left: CallTree, right: CallTree): Comparison {
  return compareRows(left, right, alignTrees(left, right));
}

describe('media: aligned trees', () => {
  it('pairs equal trees row by row', () => {
    const tree = treeOf([0, 'a'], [1, 'b'], [2, 'c'], [1, 'd']);
    assert.equal(pairs(tree, tree), '00 11 22 33');
    assert.equal(pairs(tree, buildCallTree([])), '0· 1· 2· 3·');
    assert.equal(pairs(buildCallTree([]), buildCallTree([])), '');
  });

  it('leaves unpaired what one side lacks, with its descendants', () => {
    const left = treeOf([0, 'a'], [1, 'b'], [1, 'x'], [2, 'y'], [1, 'd']);
    const right = treeOf([0, 'a'], [1, 'b'], [1, 'd'], [1, 'z']);
    assert.equal(pairs(left, right), '00 11 2· 3· 42 ·3');
  });

  it('always pairs the top calls, and pairs the same method of another contract', () => {
    const left = treeOf([0, 'a'], [1, 'b'], [2, 'c']);
    const right = treeOf([0, 'q'], [1, 'b', { address: `0x${'9'.repeat(40)}` }], [2, 'c']);
    assert.equal(pairs(left, right), '00 11 22');
  });

  it('prefers calls with the same arguments among those with the same method', () => {
    const left = treeOf([0, 'a'], [1, 'b', { callData: '0x02' }]);
    const right = treeOf([0, 'a'], [1, 'b', { callData: '0x01' }], [1, 'b', { callData: '0x02' }]);
    assert.equal(pairs(left, right), '00 ·1 12');
  });

  it('finds the position of an insertion among repeated calls', () => {
    const left = treeOf([0, 'a'], [1, 'x'], [1, 'y'], [1, 'x'], [1, 'y']);
    const right = treeOf([0, 'a'], [1, 'y'], [1, 'x'], [1, 'y']);
    assert.equal(pairs(left, right), '00 1· 21 32 43');
  });

  it('pairs long lists in which every item differs by the order of their methods', () => {
    const rows = (data: string): FlowRow[] => [
      callRow(0),
      ...Array.from({ length: 10_000 }, (_, index) =>
        callRow(1, { selector: `0x${(index % 50).toString(16).padStart(8, '0')}`, callData: data }),
      ),
    ];
    const [left, right] = [buildCallTree(rows('0x01')), buildCallTree(rows('0x02').slice(0, -7))];
    const aligned = alignTrees(left, right);
    assert.equal(aligned.filter(({ left: l, right: r }) => l >= 0 && r >= 0).length, 9_994);
    assert.equal(aligned.length, 10_001);
  });

  it('handles a chain of 10,000 levels', () => {
    const deep = buildCallTree(hugeRows(10_000, 10_000));
    assert.equal(alignTrees(deep, deep).length, 10_000);
  });
});

describe('media: differences', () => {
  const failed = { status: false, revert: true, revertMessage: 'low', output: '0x01' };

  it('are none between equal analyses', () => {
    const tree = treeOf([0, 'a'], [1, 'b']);
    assert.deepEqual(compare(tree, tree).divergences, []);
    assert.deepEqual(compare(tree, tree).differences, [[], []]);
  });

  it('start at their cause, not at the top call that passes them on', () => {
    const left = treeOf([0, 'a'], [1, 'b'], [2, 'c'], [1, 'd']);
    const right = treeOf([0, 'a', failed], [1, 'b', failed], [2, 'c', failed]);
    const { divergences, differences } = compare(left, right);
    assert.deepEqual(divergences, [2, 1, 3, 0]);
    assert.deepEqual(differences[2], ['outcome', 'output', 'reason']);
    assert.deepEqual(differences[3], ['only']);
  });

  it('leave out what a failure around it undoes', () => {
    const left = treeOf([0, 'a'], [1, 'b'], [1, 'c']);
    const right = treeOf([0, 'a', failed], [1, 'b', { revert: true }], [1, 'c', failed]);
    const { divergences, differences } = compare(left, right);
    assert.deepEqual(divergences, [2, 0]);
    assert.deepEqual(differences[1], ['outcome']);
  });

  it('include arguments, value, target and gas; gas alone is no divergence', () => {
    const left = treeOf([0, 'a'], [1, 'b', { value: '1' }], [1, 'c'], [1, 'd']);
    const right = treeOf(
      [0, 'a', { gasUsed: 5 }],
      [1, 'b', { value: '2' }],
      [1, 'c', { callData: '0x01' }],
      [1, 'd', { address: `0x${'9'.repeat(40)}` }],
    );
    const { divergences, differences } = compare(left, right);
    assert.deepEqual(differences, [['gas'], ['value'], ['arguments'], ['call']]);
    assert.deepEqual(divergences, [1, 2, 3]);
  });

  it('count a branch that one side lacks once', () => {
    const left = treeOf([0, 'a'], [1, 'b'], [2, 'c'], [2, 'd']);
    assert.deepEqual(compare(left, treeOf([0, 'a'])).divergences, [1]);
  });
});

describe('media: compared balances', () => {
  const asset = (overrides: Partial<AssetChange>): AssetChange => ({
    address: '0xt',
    rawAmount: '100',
    amount: '1',
    sign: true,
    value: '',
    isERC1155: false,
    isERC721: false,
    ...overrides,
  });

  it('are joined by account, asset and token id', () => {
    const found = compareBalances(
      { balanceChange: [{ account: '0xa', assets: [asset({}), asset({ tokenId: '7' })] }] },
      {
        balanceChange: [
          { account: '0xa', assets: [asset({ sign: false })] },
          { account: '0xb', assets: [asset({ amount: '' })] },
        ],
      },
    );
    assert.deepEqual(
      found.map(({ account, left, right, differs }) => [account, left, right, differs]),
      [
        ['0xa', '1', '-1', true],
        ['0xa', '1', '', true],
        ['0xb', '', '100', true],
      ],
    );
  });
});

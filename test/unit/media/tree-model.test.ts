import assert from 'node:assert/strict';
import {
  everything,
  firstExpansion,
  isOpen,
  reveal,
  setOpen,
  topCalls,
  type Expansion,
} from '../../../media/inspector/call-tree/expansion';
import { treeMove, type TreePlace } from '../../../media/inspector/call-tree/tree-keys';
import {
  ancestors,
  buildCallTree,
  failureOrigin,
  nextFailure,
  visiblePosition,
  visibleRows,
  type CallTree,
} from '../../../media/inspector/call-tree/tree-model';
import { callRow, hugeRows } from '../../ui-components/fixtures';

/** 0 ─ 1 ─ (2, 3 ─ 4), 5 */
const tree = buildCallTree([0, 1, 2, 2, 3, 1].map((depth) => callRow(depth)));
const visible = (expansion: Expansion, of: CallTree = tree): number[] => [
  ...visibleRows(of, (index) => isOpen(of, expansion, index)),
];

describe('media: call tree', () => {
  it('finds parents, ends and places among siblings from depths alone', () => {
    assert.deepEqual([...tree.parent], [-1, 0, 1, 1, 3, 0]);
    assert.deepEqual([...tree.end], [6, 5, 3, 5, 5, 6]);
    assert.deepEqual([...tree.position], [1, 1, 1, 2, 1, 2]);
    assert.deepEqual([...tree.siblings], [1, 2, 2, 2, 1, 2]);
    assert.deepEqual(ancestors(tree, 4), [3, 1, 0]);
  });

  it('shows what is not inside a closed row', () => {
    assert.deepEqual(visible(everything), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(visible(topCalls), [0, 1, 5]);
    assert.deepEqual(visible(setOpen(tree, everything, [1], false)), [0, 1, 5]);
    assert.deepEqual(visible(reveal(tree, topCalls, 4)), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(visible({ depth: 0, except: new Set() }), [0]);
  });

  it('takes an exception back when a row is turned round again', () => {
    const closed = setOpen(tree, everything, [1], false);
    assert.deepEqual([...setOpen(tree, closed, [1], true).except], []);
  });

  it('places a hidden row at what hides it', () => {
    const rows = Int32Array.from([0, 1, 5]);
    assert.deepEqual(
      [0, 1, 2, 4, 5, 9].map((row) => visiblePosition(rows, row)),
      [0, 1, 1, 1, 2, 2],
    );
    assert.equal(visiblePosition(new Int32Array(), 0), -1);
  });

  it('opens small trees whole and huge ones as far as fits', () => {
    assert.equal(firstExpansion(tree), everything);
    const huge = buildCallTree(hugeRows(100_000, 500));
    assert.ok(visible(firstExpansion(huge), huge).length < 300);
    assert.equal(visible(everything, huge).length, 100_000);
  });

  it('holds a chain of 100,000 levels', () => {
    const deep = buildCallTree(Array.from({ length: 100_000 }, (_, depth) => callRow(depth)));
    assert.equal(ancestors(deep, 99_999).length, 99_999);
    assert.equal(visible(topCalls, deep).length, 2);
  });
});

describe('media: failures', () => {
  const failed = { status: false, revert: true };

  it('has no origin in a success, even where an inner failure was caught', () => {
    assert.equal(failureOrigin(buildCallTree([callRow(0), callRow(1, failed)])), undefined);
    assert.equal(failureOrigin(buildCallTree([])), undefined);
  });

  it('follows revert data down to the frame that threw it', () => {
    const output = '0x08c379a0';
    const rows = [
      callRow(0, { ...failed, output }),
      callRow(1),
      callRow(1, { ...failed, output }),
      callRow(2, { ...failed, output }),
    ];
    assert.equal(failureOrigin(buildCallTree(rows)), 3);
  });

  it('follows a bare revert to the reason that it dropped', () => {
    const rows = [callRow(0, failed), callRow(1, { ...failed, output: '0x08c379a0' })];
    assert.equal(failureOrigin(buildCallTree(rows)), 1);
  });

  it('stops where a frame threw something of its own, or after a caught failure', () => {
    const own = { ...failed, output: '0x4e487b71' };
    assert.equal(
      failureOrigin(
        buildCallTree([callRow(0, own), callRow(1, { ...failed, output: '0x08c379a0' })]),
      ),
      0,
    );
    assert.equal(
      failureOrigin(buildCallTree([callRow(0, own), callRow(1, { ...failed }), callRow(1)])),
      0,
    );
  });

  it('goes from failure to failure and round again', () => {
    const rows = buildCallTree([callRow(0), callRow(1, failed), callRow(1), callRow(1, failed)]);
    assert.deepEqual(
      [0, 1, 3].map((from) => nextFailure(rows, from)),
      [1, 3, 1],
    );
    assert.equal(nextFailure(tree, 0), undefined);
  });
});

describe('media: tree keys', () => {
  const at = (selected: number, expansion = everything): TreePlace => ({
    tree,
    visible: Int32Array.from(visible(expansion)),
    expansion,
    selected,
    page: 2,
  });
  const selectedBy = (key: string, place: TreePlace): unknown => {
    const move = treeMove(key, place);
    return move && 'selected' in move ? move.selected : undefined;
  };

  it('moves', () => {
    assert.equal(selectedBy('ArrowDown', at(0)), 1);
    assert.equal(selectedBy('ArrowUp', at(0)), 0);
    assert.equal(selectedBy('End', at(0)), 5);
    assert.equal(selectedBy('Home', at(5)), 0);
    assert.equal(selectedBy('PageDown', at(1)), 3);
    assert.equal(selectedBy('PageUp', at(1)), 0);
    assert.equal(selectedBy('ArrowDown', at(1, topCalls)), 5);
  });

  it('opens, closes and walks along the branches', () => {
    assert.equal(selectedBy('ArrowRight', at(1)), 2);
    assert.equal(selectedBy('ArrowRight', at(2)), 2);
    assert.equal(selectedBy('ArrowLeft', at(2)), 1);
    const opened = treeMove('ArrowRight', at(1, topCalls));
    assert.ok(opened && 'expansion' in opened);
    assert.deepEqual(visible(opened.expansion), [0, 1, 2, 3, 5]);
    const closed = treeMove('ArrowLeft', at(0));
    assert.ok(closed && 'expansion' in closed);
    assert.deepEqual(visible(closed.expansion), [0]);
    const siblings = treeMove('*', at(1, topCalls));
    assert.ok(siblings && 'expansion' in siblings);
    assert.deepEqual(visible(siblings.expansion), [0, 1, 2, 3, 5]);
  });

  it('asks for details and copies, and leaves other keys to others', () => {
    assert.deepEqual(treeMove('Enter', at(0)), { action: 'details' });
    assert.deepEqual(treeMove('c', at(0)), { action: 'copy' });
    assert.equal(treeMove('Tab', at(0)), undefined);
    assert.equal(treeMove('e', at(0)), undefined);
  });
});

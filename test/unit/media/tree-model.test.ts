import assert from 'node:assert/strict';
import {
  everything,
  firstExpansion,
  isOpen,
  reveal,
  setOpen,
  topCalls,
  type Expansion,
} from '../../../media/inspector/ui-state/expansion';
import { treeMove, type TreePosition } from '../../../media/inspector/call-tree/tree-keys';
import {
  ancestors,
  buildCallTree,
  childrenOf,
  failureOrigin,
  nextFailure,
  visiblePosition,
  visibleRows,
  type CallTree,
} from '../../../media/inspector/model/tree-model';
import {
  EVERY_KIND,
  onlyWithAncestors,
  shownLevels,
  type ShownKinds,
} from '../../../media/inspector/ui-state/shown-rows';
import { stickyPath } from '../../../media/inspector/call-tree/sticky-path';
import type { FlowRow } from '../../../media/inspector/protocol/protocol';
import { callRow, eventRow, hugeRows } from '../../ui-components/fixtures';

/** 0 ─ 1 ─ (2, 3 ─ 4), 5 */
const tree = buildCallTree([0, 1, 2, 2, 3, 1].map((depth) => callRow(depth)));
const visible = (expansion: Expansion, of: CallTree = tree): number[] => [
  ...visibleRows(of, (index) => isOpen(of, expansion, index)),
];

describe('media: call tree', () => {
  it('computes parents, ends and positions among siblings from depths alone', () => {
    assert.deepEqual([...tree.parent], [-1, 0, 1, 1, 3, 0]);
    assert.deepEqual([...tree.end], [6, 5, 3, 5, 5, 6]);
    assert.deepEqual([...tree.position], [1, 1, 1, 2, 1, 2]);
    assert.deepEqual([...tree.siblings], [1, 2, 2, 2, 1, 2]);
    assert.deepEqual(ancestors(tree, 4), [3, 1, 0]);
  });

  it('shows rows that are not inside a closed row', () => {
    assert.deepEqual(visible(everything), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(visible(topCalls), [0, 1, 5]);
    assert.deepEqual(visible(setOpen(tree, everything, [1], false)), [0, 1, 5]);
    assert.deepEqual(visible(reveal(tree, topCalls, 4)), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(visible({ depth: 0, except: new Set() }), [0]);
  });

  it('removes an exception when a row is toggled back', () => {
    const closed = setOpen(tree, everything, [1], false);
    assert.deepEqual([...setOpen(tree, closed, [1], true).except], []);
  });

  it('places a hidden row at its last visible predecessor', () => {
    const rows = Int32Array.from([0, 1, 5]);
    assert.deepEqual(
      [0, 1, 2, 4, 5, 9].map((row) => visiblePosition(rows, row)),
      [0, 1, 1, 1, 2, 2],
    );
    assert.equal(visiblePosition(new Int32Array(), 0), -1);
  });

  it('opens small trees completely and huge ones as far as they fit', () => {
    assert.equal(firstExpansion(tree), everything);
    const huge = buildCallTree(hugeRows(100_000, 500));
    assert.ok(visible(firstExpansion(huge), huge).length < 300);
    assert.equal(visible(everything, huge).length, 100_000);
  });

  it('handles a chain of 100,000 levels', () => {
    const deep = buildCallTree(Array.from({ length: 100_000 }, (_, depth) => callRow(depth)));
    assert.equal(ancestors(deep, 99_999).length, 99_999);
    assert.equal(visible(topCalls, deep).length, 2);
  });
});

describe('media: shown rows', () => {
  /** 0 ─ static 1 ─ 2 · delegate 3 ─ (event 4, delegate 5 ─ 6) · 7 */
  const rows: FlowRow[] = [
    callRow(0),
    callRow(1, { operation: 'STATICCALL' }),
    callRow(2),
    callRow(1, { operation: 'DELEGATECALL' }),
    eventRow(2),
    callRow(2, { operation: 'DELEGATECALL' }),
    callRow(3),
    callRow(1),
  ];
  const levels = (without: Partial<ShownKinds>): number[] => [
    ...shownLevels(rows, { ...EVERY_KIND, ...without }),
  ];

  it('are all rows at first', () => {
    assert.deepEqual(levels({}), [0, 1, 2, 1, 2, 2, 3, 1]);
  });

  it('omit static calls with their descendants, and events', () => {
    assert.deepEqual(levels({ statics: false }), [0, -1, -1, 1, 2, 2, 3, 1]);
    assert.deepEqual(levels({ events: false }), [0, 1, 2, 1, -1, 2, 3, 1]);
  });

  it('replace a delegate call with its children', () => {
    assert.deepEqual(levels({ delegates: false }), [0, 1, 2, -1, 1, -1, 1, 1]);
    const shown = buildCallTree(rows, shownLevels(rows, { ...EVERY_KIND, delegates: false }));
    assert.deepEqual([...shown.parent], [-1, 0, 1, -1, 0, -1, 0, 0]);
    assert.deepEqual([...shown.position], [1, 1, 1, 0, 2, 0, 3, 4]);
    assert.equal(shown.siblings[4], 4);
    assert.deepEqual(childrenOf(shown, 0), [1, 4, 6, 7]);
    assert.deepEqual(visible(everything, shown), [0, 1, 2, 4, 6, 7]);
    assert.deepEqual(ancestors(shown, 6), [0]);
  });

  it('are the matches, with their ancestors', () => {
    const all = shownLevels(rows, EVERY_KIND);
    const { parent } = buildCallTree(rows, all);
    assert.deepEqual([...onlyWithAncestors(all, parent, [6])], [0, -1, -1, 1, -1, 2, 3, -1]);
    assert.deepEqual(
      [...onlyWithAncestors(all, parent, [])].filter((level) => level >= 0),
      [],
    );
  });
});

describe('media: sticky path', () => {
  const first = (of: CallTree, at: number): number[] =>
    stickyPath(of, Int32Array.from(visible(everything, of)), at);

  it('is the path to the first visible row below it', () => {
    assert.deepEqual(first(tree, 0), []);
    assert.deepEqual(first(tree, 1), [0, 1]);
    assert.deepEqual(first(tree, 3), [0]);
  });

  it('is shortened in a deep tree: the top call, and the nearest callers', () => {
    const deep = buildCallTree(Array.from({ length: 1024 }, (_, depth) => callRow(depth)));
    assert.deepEqual(first(deep, 500), [0, 501, 502, 503, 504]);
  });
});

describe('media: failures', () => {
  const failed = { status: false, revert: true };

  it('have no origin in a success, even if an inner failure was caught', () => {
    assert.equal(failureOrigin(buildCallTree([callRow(0), callRow(1, failed)])), undefined);
    assert.equal(failureOrigin(buildCallTree([])), undefined);
  });

  it('are followed by revert data down to the frame that threw', () => {
    const output = '0x08c379a0';
    const rows = [
      callRow(0, { ...failed, output }),
      callRow(1),
      callRow(1, { ...failed, output }),
      callRow(2, { ...failed, output }),
    ];
    assert.equal(failureOrigin(buildCallTree(rows)), 3);
  });

  it('are followed from a bare revert to the reason that it dropped', () => {
    const rows = [callRow(0, failed), callRow(1, { ...failed, output: '0x08c379a0' })];
    assert.equal(failureOrigin(buildCallTree(rows)), 1);
  });

  it('originate where a frame threw its own error, or after a caught failure', () => {
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

  it('are visited one after the other, wrapping around', () => {
    const rows = buildCallTree([callRow(0), callRow(1, failed), callRow(1), callRow(1, failed)]);
    assert.deepEqual(
      [0, 1, 3].map((from) => nextFailure(rows, from)),
      [1, 3, 1],
    );
    assert.equal(nextFailure(tree, 0), undefined);
  });

  it('are visited from the origin, without the callers that passed the failure on', () => {
    const output = '0x08c379a0';
    const rows = buildCallTree([
      callRow(0, { ...failed, output }),
      callRow(1, failed),
      callRow(1, { ...failed, output }),
      callRow(2, { ...failed, output }),
    ]);
    const origin = failureOrigin(rows);
    assert.equal(origin, 3);
    assert.deepEqual(
      [0, 2, 3, 1].map((from) => nextFailure(rows, from, origin)),
      [3, 3, 1, 3],
    );
  });
});

describe('media: tree keys', () => {
  const at = (selected: number, expansion = everything): TreePosition => ({
    tree,
    visible: Int32Array.from(visible(expansion)),
    expansion,
    selected,
    page: 2,
  });
  const selectedBy = (key: string, place: TreePosition): unknown => {
    const move = treeMove(key, place);
    return move && 'selected' in move ? move.selected : undefined;
  };

  it('move the selection', () => {
    assert.equal(selectedBy('ArrowDown', at(0)), 1);
    assert.equal(selectedBy('ArrowUp', at(0)), 0);
    assert.equal(selectedBy('End', at(0)), 5);
    assert.equal(selectedBy('Home', at(5)), 0);
    assert.equal(selectedBy('PageDown', at(1)), 3);
    assert.equal(selectedBy('PageUp', at(1)), 0);
    assert.equal(selectedBy('ArrowDown', at(1, topCalls)), 5);
  });

  it('open, close and move along the branches', () => {
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

  it('return actions that the tree does not handle itself, and ignore other keys', () => {
    const actions = {
      Enter: 'source',
      d: 'details',
      Escape: 'closeDetails',
      c: 'copy',
      e: 'failure',
    };
    for (const [key, action] of Object.entries(actions)) {
      assert.deepEqual(treeMove(key, at(0)), { action });
    }
    assert.equal(treeMove('Tab', at(0)), undefined);
    assert.equal(treeMove('/', at(0)), undefined);
  });

  it('move to the next row whose method starts with a letter', () => {
    const named = buildCallTree(
      ['approve', 'swap', 'transfer', 'Sync'].map((name, index) =>
        callRow(index === 0 ? 0 : 1, {
          decodedMethod: {
            name,
            signature: '',
            callParams: [],
            returnParams: [],
            constructorArguments: '',
          },
        }),
      ),
    );
    const place = (selected: number): TreePosition => ({
      ...at(selected),
      tree: named,
      visible: Int32Array.from([0, 1, 2, 3]),
    });
    assert.equal(selectedBy('s', place(0)), 1);
    assert.equal(selectedBy('s', place(1)), 3);
    assert.equal(selectedBy('S', place(3)), 1);
    assert.equal(treeMove('z', place(0)), undefined);
  });
});

import assert from 'node:assert/strict';
import { BlockPlan, type Movement } from '../../../../extension/history/block-plan';

const planOf = (count: number, moves: readonly [number, Movement][], dropped: number[] = []) => {
  const plan = new BlockPlan(count);
  for (const [position, movement] of moves) plan.move(position, movement);
  for (const position of dropped) plan.toggle(position);
  return plan;
};

describe('the plan of a block', () => {
  it('moves transactions by a place, and to both ends', () => {
    assert.deepEqual(planOf(4, [[2, 'up']]).order, [0, 2, 1, 3]);
    assert.deepEqual(planOf(4, [[2, 'down']]).order, [0, 1, 3, 2]);
    assert.deepEqual(planOf(4, [[2, 'first']]).order, [2, 0, 1, 3]);
    assert.deepEqual(planOf(4, [[0, 'last']]).order, [1, 2, 3, 0]);
    assert.deepEqual(planOf(4, [[0, 'up']]).order, [0, 1, 2, 3]);
    assert.deepEqual(planOf(4, [[3, 'down']]).order, [0, 1, 2, 3]);
  });

  it('asks for as few moves as lead to the order', () => {
    assert.deepEqual(planOf(4, []).changes(), []);
    assert.deepEqual(planOf(4, [[3, 'first']]).changes(), [
      { kind: 'move', position: 3, before: 0 },
    ]);
    assert.deepEqual(planOf(4, [[0, 'last']]).changes(), [
      { kind: 'move', position: 0, before: 4 },
    ]);
    assert.deepEqual(
      planOf(5, [
        [4, 'first'],
        [3, 'first'],
      ]).changes(),
      [
        { kind: 'move', position: 3, before: 0 },
        { kind: 'move', position: 4, before: 0 },
      ],
    );
  });

  it('leaves out, and puts back', () => {
    const plan = planOf(3, [[2, 'first']], [1, 0]);
    assert.deepEqual(plan.changes(), [
      { kind: 'drop', position: 0 },
      { kind: 'drop', position: 1 },
    ]);
    plan.toggle(0);
    assert.deepEqual([plan.isDropped(0), plan.isDropped(1)], [false, true]);
    assert.deepEqual(plan.changes().length, 2);
  });
});

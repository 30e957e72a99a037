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

  it('inserts transactions after others, in their order, and takes them out', () => {
    const plan = planOf(3, [[2, 'first']]);
    const first = plan.insert({ kind: 'insertMined', hash: '0x1' }, 0);
    const second = plan.insert({ kind: 'insertSigned', raw: '0x2' }, first);
    const start = plan.insert({ kind: 'insert', transaction: { from: '0x3' } }, undefined);
    assert.deepEqual(plan.order, [start, 2, 0, first, second, 1]);
    assert.deepEqual(plan.changes(), [
      { kind: 'insert', transaction: { from: '0x3' }, before: 0 },
      { kind: 'move', position: 2, before: 0 },
      { kind: 'insertMined', hash: '0x1', before: 1 },
      { kind: 'insertSigned', raw: '0x2', before: 1 },
    ]);
    plan.place(second, 0);
    plan.toggle(first);
    assert.deepEqual(plan.order, [second, start, 2, 0, 1]);
    assert.equal(plan.insertionOf(first), undefined);
  });

  it('gives transactions other fields, until they are as they were', () => {
    const plan = planOf(2, []);
    plan.set(1, 'value', '7');
    plan.set(1, 'gas', '21000');
    assert.deepEqual(plan.changes(), [
      { kind: 'set', position: 1, fields: { value: '7', gas: '21000' } },
    ]);
    plan.set(1, 'gas', undefined);
    assert.deepEqual(plan.fieldsOf(1), { value: '7' });
    plan.toggle(1);
    assert.deepEqual(plan.changes(), [{ kind: 'drop', position: 1 }]);
    plan.toggle(1);
    plan.set(1, 'value', undefined);
    assert.deepEqual(plan.changes(), []);
  });
});

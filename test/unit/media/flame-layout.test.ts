import assert from 'node:assert/strict';
import { barsOf, flameLayout, flameStep, rangeOf } from '../../../media/inspector/gas/flame-layout';
import { gasEntries } from '../../../media/inspector/gas/gas-table';
import type { GasProfile } from '../../../server/api/views';
import { sandboxParts } from '../../ui-components/fixtures';

type Frame = GasProfile['gasProfile']['frames'][number];

const frame = (id: number, depth: number, gasUsed: number): Frame => ({
  id,
  depth,
  gasUsed,
  selfGas: 0,
  operation: 'CALL',
  address: '',
  selector: '',
  method: '',
  revert: false,
});

describe('media: flame graph', () => {
  const frames = [frame(0, 0, 100), frame(1, 1, 40), frame(2, 2, 30), frame(3, 1, 50)];

  it('lays out calls side by side within their callers', () => {
    const { start, width, parent, levels } = flameLayout(frames);
    assert.deepEqual([...start], [0, 0, 0, 40]);
    assert.deepEqual([...width], [100, 40, 30, 50]);
    assert.deepEqual([...parent], [-1, 0, 1, 0]);
    assert.deepEqual(levels, [[0], [1, 3], [2]]);
  });

  it('is as wide as the calls below if the gas of the top call is unknown', () => {
    const top = { ...frame(0, 0, 0), gasUsed: null, selfGas: null };
    const layout = flameLayout([top, frame(1, 1, 40), frame(2, 1, 50)]);
    assert.equal(layout.width[0], 90);
    assert.deepEqual(rangeOf(layout, -1), [0, 90]);
    assert.deepEqual(rangeOf(layout, 2), [40, 90]);
  });

  it('draws bars that are in range and wide enough to be seen', () => {
    const layout = flameLayout(frames);
    assert.deepEqual(barsOf(layout, 1, [0, 100], 200), [
      { index: 1, count: 1, left: 0, width: 80 },
      { index: 3, count: 1, left: 80, width: 100 },
    ]);
    assert.deepEqual(barsOf(layout, 1, rangeOf(layout, 3), 200), [
      { index: 3, count: 1, left: 0, width: 200 },
    ]);
    assert.deepEqual(barsOf(layout, 1, [0, 100], 3), [
      { index: 3, count: 1, left: 1.2, width: 1.5 },
    ]);
  });

  it('draws narrow neighbours as one bar where a level has many frames', () => {
    const calls = [
      ...Array.from({ length: 100 }, (_, at) => frame(1 + at, 1, 1)),
      frame(101, 1, 800),
      ...Array.from({ length: 100 }, (_, at) => frame(102 + at, 1, 1)),
    ];
    const layout = flameLayout([frame(0, 0, 1000), ...calls]);
    const range = rangeOf(layout, -1);
    assert.deepEqual(barsOf(layout, 1, range, 1000), [
      { index: 1, count: 100, left: 0, width: 100 },
      { index: 101, count: 1, left: 100, width: 800 },
      { index: 102, count: 100, left: 900, width: 100 },
    ]);
    assert.equal(barsOf(layout, 1, range, 10_000).length, 201);
    const few = flameLayout([frame(0, 0, 1000), ...calls.slice(0, 101)]);
    assert.equal(barsOf(few, 1, range, 2_000).length, 101);
  });

  it('moves with arrow keys to the caller, the largest call and the neighbours', () => {
    const layout = flameLayout(frames);
    assert.equal(flameStep(layout, 0, 'ArrowDown'), 3);
    assert.equal(flameStep(layout, 3, 'ArrowLeft'), 1);
    assert.equal(flameStep(layout, 1, 'ArrowRight'), 3);
    assert.equal(flameStep(layout, 3, 'ArrowRight'), undefined);
    assert.equal(flameStep(layout, 2, 'ArrowUp'), 1);
    assert.equal(flameStep(layout, 0, 'ArrowUp'), undefined);
  });

  it('handles a chain of 100,000 frames', () => {
    const layout = flameLayout(
      Array.from({ length: 100_000 }, (_, depth) => frame(depth, depth, 200_000 - depth)),
    );
    assert.equal(layout.levels.length, 100_000);
    assert.equal(layout.parent.at(-1), 99_998);
  });
});

describe('media: gas table', () => {
  it('lists methods after their contract, and sorts both', () => {
    const { contracts } = sandboxParts('flash-loan').gasProfile;
    const first = gasEntries(contracts, undefined, () => true);
    assert.deepEqual(
      first.slice(0, 3).map((entry) => ('address' in entry ? 'contract' : entry.method)),
      ['contract', 'transfer', 'balanceOf'],
    );
    const byCalls = gasEntries(contracts, { column: 'calls', direction: 'up' }, () => true);
    const calls = byCalls.filter((entry) => 'address' in entry).map((entry) => entry.calls);
    assert.deepEqual(
      calls,
      calls.toSorted((a, b) => a - b),
    );
  });

  it('keeps methods that match a filter, with their contracts', () => {
    const { contracts } = sandboxParts('flash-loan').gasProfile;
    const named = contracts.filter(({ methods }) => methods.some((m) => m.method === 'transfer'));
    const left = gasEntries(contracts, undefined, (_, { method }) => method === 'transfer');
    assert.deepEqual(
      left.map((entry) => ('address' in entry ? entry.address : entry.method)),
      named.flatMap(({ address }) => [address, 'transfer']),
    );
    assert.ok(named.length > 0);
  });
});

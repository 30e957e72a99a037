import assert from 'node:assert/strict';
import { narrow, probesIn, type Range } from '../../../server/history/bisect/narrow';

const isSame = (one: number, other: number): boolean => one === other;

describe('narrow', () => {
  const find = async (from: number, high: number, valueAt: (block: number) => number) => {
    const asked: number[][] = [];
    const others: Range<number>[] = [];
    const range = { low: from, high, before: valueAt(from), after: valueAt(high) };
    const found = await narrow(range, {
      at: (blocks) => {
        asked.push([...blocks]);
        return Promise.resolve(blocks.map(valueAt));
      },
      isSame,
      onOther: (other) => others.push(other),
    });
    return { found, asked, others };
  };

  it('finds the change at every place of a range', async () => {
    for (let change = 11; change <= 40; change++) {
      const { found } = await find(10, 40, (block) => Number(block >= change));
      assert.deepEqual(found, { low: change - 1, high: change, before: 0, after: 1 });
    }
  });

  it('reads three blocks at a time, and 20 million blocks with at most 42 reads', async () => {
    const { asked } = await find(0, 20_000_000, (block) => Number(block >= 12_345_678));
    assert.ok(asked.every((blocks) => blocks.length <= 3));
    assert.ok(asked.flat().length <= 42, String(asked.flat().length));
  });

  it('finds the first change that its reads show, and tells the others', async () => {
    const { found, others } = await find(0, 100, (block) =>
      block >= 60 ? 2 : block >= 20 ? 1 : 0,
    );
    assert.deepEqual([found.low, found.high], [19, 20]);
    assert.deepEqual(
      others.map(({ before, after }) => [before, after]),
      [[1, 2]],
    );
  });

  it('does nothing for two adjacent blocks', async () => {
    const { found, asked } = await find(4, 5, (block) => block);
    assert.deepEqual([found.low, found.high, asked], [4, 5, []]);
  });
});

describe('probesIn', () => {
  it('gives distinct blocks inside', () => {
    assert.deepEqual(probesIn({ low: 0, high: 2 }), [1]);
    assert.deepEqual(probesIn({ low: 0, high: 3 }), [1, 2]);
    assert.deepEqual(probesIn({ low: 0, high: 100 }), [25, 50, 75]);
  });
});

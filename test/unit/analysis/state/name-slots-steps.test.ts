import assert from 'node:assert/strict';
import { keyCandidatesWork, nameSlotsWork } from '../../../../server/analysis/state/name-slots';
import { atOnce } from '../../../../server/kernel/async/slices';
import { account, frame, log, word } from '../../../support/analysis';

const ALICE = word(account(0xa11));
const BOB = word(account(0xb0b));
const keyCandidates = (...asked: Parameters<typeof keyCandidatesWork>) =>
  atOnce(keyCandidatesWork(...asked));

describe('names of slots in large transactions', () => {
  it('are searched for in short steps, also among millions of equal words and for many mappings', () => {
    const stepsOf = (work: Generator<number, unknown>): number => {
      let steps = 0;
      while (work.next().done !== true) steps++;
      return steps;
    };
    const large = frame({ input: `0x12345678${word(0).slice(2).repeat(100_000)}` });
    assert.ok(stepsOf(keyCandidatesWork(large)) >= 97);
    const mapping = { encoding: 'mapping', label: 'm', numberOfBytes: '32', key: 'u', value: 'u' };
    const uint = { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' };
    const storage = [{ label: 'm', slot: '0', offset: 0, type: 'm' }];
    const keys = Array.from({ length: 500 }, (_, index) => word(index));
    const changes = [{ slot: word(99), before: word(0), after: word(1) }];
    const layout = { storage, types: { m: mapping, u: uint } };
    assert.ok(stepsOf(nameSlotsWork(changes, layout, keys)) >= 500);
  });

  it('use each word of the trace once as a key, up to a limit', () => {
    const root = frame({
      input: `0x12345678${word(7).slice(2)}${ALICE.slice(2)}ff`,
      output: word(7),
      items: [log(account(6), [word(1), word(8)], word(9)), frame({ to: null })],
    });
    assert.deepEqual(keyCandidates(root), [ALICE, BOB, word(7), word(8), word(9)]);
    assert.deepEqual(keyCandidates(root, 2), [ALICE, BOB, word(7)]);
    const numbers = frame({
      input: `0x12345678${word(1n << 64n).slice(2)}${word(1n << 200n).slice(2)}`,
    });
    assert.deepEqual(keyCandidates(numbers).slice(2), [word(1n << 64n), word(1n << 200n)]);
    const like = frame({ input: `0x12345678${word(5).slice(2)}${word(1n << 100n).slice(2)}` });
    assert.deepEqual(keyCandidates(like).slice(2), [word(1n << 100n), word(5)]);
  });
});

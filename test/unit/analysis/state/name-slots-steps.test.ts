import assert from 'node:assert/strict';
import { keyCandidatesWork, nameSlotsWork } from '../../../../server/analysis/state/name-slots';
import { frame, word } from '../../../support/analysis';

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
});

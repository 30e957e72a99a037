import assert from 'node:assert/strict';
import { storageLayoutSchema } from '../../../../server/contracts/sources/verified/storage-layout-schema';

const member = { label: 'x', offset: 0, slot: '0', type: 't_0' };
const type = { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' };
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('storage layouts that are too large', () => {
  /** Entries that were looked at. */
  let read: number;
  beforeEach(() => (read = 0));
  const counted = <T extends object>(entry: T): T =>
    new Proxy(entry, {
      get: (target, name) => {
        if (name === 'label') read++;
        return Reflect.get(target, name) as unknown;
      },
    });
  const isAccepted = (layout: unknown): boolean => storageLayoutSchema.safeParse(layout).success;
  const types = (count: number, of: () => object = () => type) =>
    Object.fromEntries(many(count, (index) => [`t_${index}`, counted(of())]));

  it('are refused before an entry is parsed', () => {
    const struct = () => ({ ...type, members: many(2_000, () => member) });
    assert.equal(isAccepted({ storage: [], types: types(5_001) }), false);
    assert.equal(isAccepted({ storage: many(2_001, () => counted(member)) }), false);
    assert.equal(isAccepted({ storage: [], types: types(6, struct) }), false);
    assert.equal(read, 0);
  });

  it('are accepted up to the bounds', () => {
    assert.equal(isAccepted({ storage: [member], types: types(5_000) }), true);
    assert.equal(isAccepted({ storage: [], types: null }), true);
    assert.equal(read > 0, true);
    for (const wrong of [null, 'x', [], { storage: 'x' }, { storage: [], types: 'x' }])
      assert.equal(isAccepted(wrong), false);
  });
});

import assert from 'node:assert/strict';
import { dataIdOf, readDataId, slotOf } from '../../../../../extension/debugger/adapter/data-id';

const address = `0x${'c1'.repeat(20)}` as const;
const slot = `0x${'05'.padStart(64, '0')}`;

describe('names of places for data breakpoints', () => {
  it('lead back to a slot, or to the part of it that a value has', () => {
    for (const place of [
      { address, slot },
      { address, slot, offset: 1, length: 8 },
      { address, slot, length: 16 },
      { address, slot, slots: 3 },
      { address, slot, isBytes: true },
      { address, slot, transient: true },
      { address, slot, offset: 2, length: 1, transient: true },
    ]) {
      assert.deepEqual(readDataId(dataIdOf(place)), place);
    }
  });

  it('do not exist for variables that are not in storage, nor are other texts names', () => {
    assert.equal(slotOf({}), undefined);
    assert.equal(slotOf({ type: 'string', location: 'storage', address, slot })?.isBytes, true);
    assert.equal(
      slotOf({ type: 'bytes4', location: 'storage', address, slot })?.isBytes,
      undefined,
    );
    for (const text of [
      '',
      address,
      `${address}:0x5`,
      `${address}:${slot}:1`,
      `${address}:${slot}*`,
    ]) {
      assert.equal(readDataId(text), undefined);
    }
  });
});

import assert from 'node:assert/strict';
import type { StorageLayout } from '../../../../extension/build-output/compiled-code';
import { layoutChanges } from '../../../../extension/what-if/layout-changes';

type Member = StorageLayout['storage'][number];
const member = (label: string, slot: number, type: string, offset = 0): Member => ({
  ...{ label, type, offset, slot: String(slot) },
});
const word = (label: string) => ({ encoding: 'inplace', label, numberOfBytes: '32' });
const TYPES: NonNullable<StorageLayout['types']> = {
  t_uint: word('uint256'),
  t_int: word('int256'),
  t_users: { ...word('mapping(address => struct User)'), encoding: 'mapping', value: 't_user' },
  t_user: { ...word('struct User'), members: [member('balance', 0, 't_uint')] },
};
const layout = (storage: Member[], types = TYPES): StorageLayout => ({ storage, types });

describe('changes of a storage layout', () => {
  const before = layout([member('total', 0, 't_uint'), member('users', 1, 't_users')]);

  it('are none where variables are added behind the old ones', () => {
    const after = layout([...before.storage, member('cap', 2, 't_uint')]);
    assert.deepEqual(layoutChanges(before, after), []);
  });

  it('are variables that moved, are gone, or have another type', () => {
    const after = layout([member('cap', 0, 't_uint'), member('total', 0, 't_uint', 16)]);
    assert.deepEqual(layoutChanges(before, after), [
      'total moved from slot 0 to slot 0, byte 16',
      'users is gone',
    ]);
    const signed = layout([member('total', 0, 't_int'), member('users', 1, 't_users')]);
    assert.deepEqual(layoutChanges(before, signed), [
      'total was of type uint256 and is of type int256',
    ]);
  });

  it('are found in structs that are values of mappings', () => {
    const user = {
      ...TYPES['t_user']!,
      members: [member('debt', 0, 't_uint'), member('balance', 1, 't_uint')],
    };
    const after = layout(before.storage, { ...TYPES, t_user: user });
    assert.deepEqual(layoutChanges(before, after), [
      'users[…].balance moved from slot 0 to slot 1',
    ]);
  });
});

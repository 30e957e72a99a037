import assert from 'node:assert/strict';
import type { StorageLayout } from '../../../../extension/build-output/compiled-code';
import { enumMembers } from '../../../../extension/build-output/enum-members';
import {
  layoutChanges as changesOf,
  type LayoutChanges,
} from '../../../../extension/what-if/layout-changes';

type Member = StorageLayout['storage'][number];
const member = (label: string, slot: number, type: string, offset = 0): Member => ({
  label,
  type,
  offset,
  slot: String(slot),
});
const word = (label: string) => ({ encoding: 'inplace', label, numberOfBytes: '32' });
const TYPES: NonNullable<StorageLayout['types']> = {
  t_uint: word('uint256'),
  t_int: word('int256'),
  t_users: { ...word('mapping(address => struct User)'), encoding: 'mapping', value: 't_user' },
  t_user: { ...word('struct User'), members: [member('balance', 0, 't_uint')] },
};
const layout = (storage: Member[], types = TYPES): StorageLayout => ({ storage, types });

const NO_ENUMS = { before: enumMembers([]), after: enumMembers([]) };
const layoutChanges = (before: StorageLayout, after: StorageLayout): string[] =>
  changesOf(before, after, NO_ENUMS).changes;

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

  describe('of enums', () => {
    const kinds = layout([member('kind', 0, 't_kind'), member('last', 0, 't_kind', 1)], {
      t_kind: { encoding: 'inplace', label: 'enum Vault.Kind', numberOfBytes: '1' },
    });
    const compared = (before: string[], after: string[]): LayoutChanges =>
      changesOf(kinds, kinds, { before: enumMembers(before), after: enumMembers(after) });
    const changes = (before: string[], after: string[]): string[] => {
      const { changes: found, unknownEnums } = compared(before, after);
      assert.deepEqual(unknownEnums, []);
      return found;
    };
    const OLD = 'contract Vault { enum Kind { Open, /* for good, */ Closed } Kind kind; }';

    it('are none where members are added behind the old ones', () => {
      assert.deepEqual(
        changes([OLD], ['contract Vault { enum Kind { Open, Closed, Paused } }']),
        [],
      );
    });

    it('are members with other numbers, told once', () => {
      const now = 'contract Vault { enum Kind {\n  Closed, // first\n  Open\n} }';
      assert.deepEqual(changes([OLD], [now]), [
        'enum Vault.Kind had the members Open, Closed and has Closed, Open',
      ]);
      assert.deepEqual(changes([OLD], ['enum Kind { Open }']), [
        'enum Vault.Kind had the members Open, Closed and has Open',
      ]);
    });

    it('are found in keys of mappings', () => {
      const keyed = layout([member('sums', 0, 't_sums')], {
        t_sums: {
          encoding: 'mapping',
          label: 'mapping(enum Vault.Kind => uint256)',
          numberOfBytes: '32',
          key: 't_kind',
          value: 't_uint',
        },
        t_kind: kinds.types!['t_kind']!,
        t_uint: word('uint256'),
      });
      const enums = {
        before: enumMembers([OLD]),
        after: enumMembers(['enum Kind { Closed, Open }']),
      };
      assert.deepEqual(changesOf(keyed, keyed, enums).changes, [
        'enum Vault.Kind had the members Open, Closed and has Closed, Open',
      ]);
    });

    it('are not guessed where a source is unknown, or declares several of one name', () => {
      const unknown = { changes: [], unknownEnums: ['enum Vault.Kind'] };
      assert.deepEqual(compared([OLD], ['// enum Kind { Closed, Open }']), unknown);
      assert.deepEqual(compared([OLD], [OLD, 'library L { enum Kind { A } }']), unknown);
      assert.deepEqual(changes([OLD], [OLD, OLD]), []);
    });
  });
});

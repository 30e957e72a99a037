import assert from 'node:assert/strict';
import { layoutDifferences } from '../../../../server/history/upgrades/layout-differences';

const TYPES = {
  t_uint: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' },
  t_u128: { encoding: 'inplace', label: 'uint128', numberOfBytes: '16' },
  t_address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' },
  t_gap50: { encoding: 'inplace', label: 'uint256[50]', numberOfBytes: '1600', base: 't_uint' },
  t_gap49: { encoding: 'inplace', label: 'uint256[49]', numberOfBytes: '1568', base: 't_uint' },
  t_map: {
    encoding: 'mapping',
    label: 'mapping(address => struct V.P)',
    numberOfBytes: '32',
    key: 't_address',
    value: 't_struct',
  },
};
const struct = (...labels: string[]) => ({
  encoding: 'inplace',
  label: 'struct V.P',
  numberOfBytes: String(32 * labels.length),
  members: labels.map((label, slot) => variable(label, slot)),
});
const variable = (label: string, slot: number, type = 't_uint', offset = 0) => ({
  label,
  slot: String(slot),
  offset,
  type,
});
const differences = (
  before: ReturnType<typeof variable>[],
  after: ReturnType<typeof variable>[],
  [old, now]: [object, object] = [struct('x'), struct('x')],
): string[] =>
  layoutDifferences(
    { storage: before, types: { ...TYPES, t_struct: old } as never },
    { storage: after, types: { ...TYPES, t_struct: now } as never },
  ).map(({ kind, text, at }) => `${kind}: ${text}${at ? ` @${at.slot}+${at.offset}` : ''}`);

describe('the differences of two storage layouts', () => {
  it('are none where variables are added behind the old ones, or into a gap', () => {
    assert.deepEqual(differences([variable('a', 0)], [variable('a', 0), variable('b', 1)]), []);
    assert.deepEqual(
      differences(
        [variable('a', 0), variable('__gap', 1, 't_gap50')],
        [variable('a', 0), variable('b', 1), variable('__gap', 2, 't_gap49')],
      ),
      [],
    );
  });

  it('are variables that moved, and what is read in their place', () => {
    assert.deepEqual(
      differences([variable('a', 0), variable('b', 1)], [variable('b', 0), variable('a', 1)]),
      [
        'moved: a moved from slot 0 to slot 1 @0+0',
        'overlapping: b reads what was written as a @0+0',
        'moved: b moved from slot 1 to slot 0 @1+0',
        'overlapping: a reads what was written as b @1+0',
      ],
    );
    assert.deepEqual(
      differences([variable('a', 0, 't_u128', 16)], [variable('c', 0, 't_address', 0)]),
      ['lost: a is gone @0+16', 'overlapping: c reads what was written as a @0+16'],
    );
  });

  it('are new names and new types', () => {
    assert.deepEqual(differences([variable('a', 0)], [variable('b', 0)]), ['renamed: a is b @0+0']);
    assert.deepEqual(differences([variable('a', 0)], [variable('a', 0, 't_u128')]), [
      'retyped: a was of type uint256 and is of type uint128 @0+0',
    ]);
  });

  it('are found in the structs of mappings, which may grow', () => {
    const map = [variable('m', 0, 't_map')];
    assert.deepEqual(differences(map, map, [struct('x'), struct('x', 'y')]), []);
    assert.deepEqual(differences(map, map, [struct('x', 'y'), struct('y', 'x')]).length, 4);
    const flat = [variable('s', 0, 't_struct')];
    assert.deepEqual(differences(flat, flat, [struct('x'), struct('x', 'y')]), [
      'retyped: s was of type struct V.P (32 bytes) and is of type struct V.P (64 bytes) @0+0',
    ]);
  });

  it('end after a bounded number of comparisons, and say so', () => {
    const many = Array.from({ length: 2_000 }, (_, at) => at);
    const wide = { encoding: 'inplace', label: 'W', numberOfBytes: '320000' };
    const compared = (
      before: readonly ReturnType<typeof variable>[],
      after: readonly ReturnType<typeof variable>[],
      types: object,
    ) => {
      const start = process.cpuUsage();
      const found = layoutDifferences(
        { storage: [...before], types: { ...TYPES, ...types } },
        { storage: [...after], types: { ...TYPES, ...types } },
      );
      const { user } = process.cpuUsage(start);
      assert.ok(user < 2_000_000, `${user} µs`);
      return found.slice(-1).map(({ kind, text }) => `${kind}: ${text.replace(/\d+/, 'N')}`);
    };
    const cut = 'unread: the layouts are too large: only N differences are listed';
    // Each old variable covers all new ones.
    const old = many.map((at) => variable(`old${at}`, at, 'wide'));
    const now = many.map((at) => variable(`new${at}`, at));
    assert.deepEqual(compared(old, now, { wide }), [cut]);
    // A struct that contains itself many times.
    const members = many.slice(0, 10).map((at) => variable(`m${at}`, at, 'self'));
    const self = { encoding: 'inplace', label: 'S', numberOfBytes: '320', members };
    assert.deepEqual(compared([variable('s', 0, 'self')], [variable('s', 0, 'self')], { self }), [
      cut,
    ]);
    // Many variables of one large struct.
    const fields = { ...self, label: 'F', members: many.map((at) => variable(`f${at}`, at)) };
    const structs = many.map((at) => variable(`s${at}`, at * 2_000, 'fields'));
    assert.deepEqual(compared(structs, structs, { fields }), [cut]);
  });
});

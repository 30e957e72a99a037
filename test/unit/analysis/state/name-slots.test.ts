import assert from 'node:assert/strict';
import { concat, keccak256 } from 'ethers';
import { keyCandidates, nameSlots } from '../../../../server/analysis/state/name-slots';
import type { StorageLayout } from '../../../../server/analysis/storage-layout';
import type { Hash } from '../../../../server/api/primitives';
import { account, frame, log, word } from '../../../support/analysis';

const inplace = (label: string, bytes: number, more: object = {}) => ({
  encoding: 'inplace',
  label,
  numberOfBytes: String(bytes),
  ...more,
});
const LAYOUT: StorageLayout = {
  storage: [
    { label: 'total', offset: 0, slot: '0', type: 'uint256' },
    { label: 'reserve0', offset: 0, slot: '1', type: 'uint112' },
    { label: 'delta', offset: 14, slot: '1', type: 'int16' },
    { label: 'open', offset: 16, slot: '1', type: 'bool' },
    { label: 'balanceOf', offset: 0, slot: '2', type: 'balances' },
    { label: 'allowance', offset: 0, slot: '3', type: 'allowances' },
    { label: 'queue', offset: 0, slot: '4', type: 'list' },
    { label: 'name', offset: 0, slot: '5', type: 'string' },
    { label: 'shelf', offset: 0, slot: '6', type: 'shelf' },
    { label: 'pair', offset: 0, slot: '8', type: 'pair' },
  ],
  types: {
    uint256: inplace('uint256', 32),
    uint112: inplace('uint112', 14),
    uint64: inplace('uint64', 8),
    int16: inplace('int16', 2),
    bool: inplace('bool', 1),
    address: inplace('address', 20),
    balances: {
      ...inplace('mapping(address => uint256)', 32),
      encoding: 'mapping',
      key: 'address',
      value: 'uint256',
    },
    allowances: {
      ...inplace('mapping(address => mapping(address => uint256))', 32),
      encoding: 'mapping',
      key: 'address',
      value: 'balances',
    },
    list: { ...inplace('uint64[]', 32), encoding: 'dynamic_array', base: 'uint64' },
    string: { ...inplace('string', 32), encoding: 'bytes' },
    shelf: inplace('struct Shelf', 64, {
      members: [
        { label: 'owner', offset: 0, slot: '0', type: 'address' },
        { label: 'goods', offset: 0, slot: '1', type: 'uint256' },
      ],
    }),
    pair: inplace('uint256[2]', 64, { base: 'uint256' }),
  },
};
const ALICE = word(account(0xa11));
const BOB = word(account(0xb0b));
const LONG_ADDRESS = `0x00c4fe${'0'.repeat(33)}1` as const;
const entry = (key: Hash, slot: Hash): Hash => keccak256(concat([key, slot])) as Hash;

const variables = (slot: Hash, before: Hash, after: Hash, keys: Hash[] = [ALICE, BOB]) =>
  nameSlots([{ slot, before, after }], LAYOUT, keys)[0]?.variables?.map((one) => [
    one.name,
    one.type,
    one.before,
    one.after,
  ]);

describe('storage layouts', () => {
  it('name plain variables, and in a shared slot only the changed ones', () => {
    assert.deepEqual(variables(word(0), word(1), word(2)), [['total', 'uint256', '1', '2']]);
    const packed = (reserve: bigint, delta: bigint, open: bigint) =>
      word(reserve | (BigInt.asUintN(16, delta) << 112n) | (open << 128n));
    assert.deepEqual(variables(word(1), packed(5n, -1n, 0n), packed(5n, 3n, 1n)), [
      ['delta', 'int16', '-1', '3'],
      ['open', 'bool', 'false', 'true'],
    ]);
  });

  it('name entries of mappings by keys that occur in the transaction', () => {
    const alice = account(0xa11);
    assert.deepEqual(variables(entry(BOB, word(2)), word(7), word(0)), [
      [`balanceOf[${account(0xb0b)}]`, 'uint256', '7', '0'],
    ]);
    assert.deepEqual(variables(entry(BOB, entry(ALICE, word(3))), word(0), word(9)), [
      [`allowance[${alice}][${account(0xb0b)}]`, 'uint256', '0', '9'],
    ]);
    assert.equal(variables(entry(BOB, word(2)), word(7), word(0), [ALICE]), undefined);
  });

  it('name lengths and elements of dynamic arrays, including packed ones', () => {
    assert.deepEqual(variables(word(4), word(4), word(5)), [['queue.length', 'uint256', '4', '5']]);
    const data = BigInt(keccak256(word(4)));
    assert.deepEqual(variables(word(data + 1n), word(3n << 64n), word(8n << 64n)), [
      ['queue[5]', 'uint64', '3', '8'],
    ]);
  });

  it('name members of structs and elements of arrays', () => {
    assert.deepEqual(variables(word(6), word(0), BOB), [
      ['shelf.owner', 'address', account(0), account(0xb0b)],
    ]);
    assert.deepEqual(variables(word(7), word(0), word(1)), [['shelf.goods', 'uint256', '0', '1']]);
    assert.deepEqual(variables(word(9), word(0), word(1)), [['pair[1]', 'uint256', '0', '1']]);
  });

  it('read short texts', () => {
    const text = `0x${Buffer.from('Harbor').toString('hex').padEnd(62, '0')}0c` as const;
    assert.deepEqual(variables(word(5), word(0), text), [['name', 'string', '', 'Harbor']]);
  });

  it('do not name unknown slots', () => {
    assert.equal(variables(word(77), word(0), word(1)), undefined);
    assert.equal(
      nameSlots([{ slot: word(0), before: word(0), after: word(1) }], { storage: [] }, [])[0]
        ?.variables,
      undefined,
    );
  });

  it('by anyone may contain themselves, or values that fit in no slot', () => {
    const layout: StorageLayout = {
      storage: [
        { label: 'loop', offset: 0, slot: '0', type: 'loop' },
        { label: 'wide', offset: 0, slot: '1', type: 'wide' },
        { label: 'tree', offset: 0, slot: '2', type: 'tree' },
        { label: 'last', offset: 0, slot: '3', type: 'uint256' },
      ],
      types: {
        loop: inplace('struct Loop', 32, {
          members: [{ label: 'loop', offset: 0, slot: '0', type: 'loop' }],
        }),
        tree: inplace('tree[1000]', 32_000, { base: 'tree' }),
        wide: inplace('uint256', 1e9),
        uint256: inplace('uint256', 32),
      },
    };
    const changes = [0, 1, 2].map((slot) => ({
      slot: word(slot),
      before: word(0),
      after: word(1),
    }));
    assert.deepEqual(
      nameSlots(changes, layout, [ALICE]).map((one) => one.variables),
      [undefined, undefined, undefined],
    );
  });

  it('try accounts as keys first, then words that look like addresses, then all other words of the trace', () => {
    const root = frame({
      input: `0xa9059cbb${word(LONG_ADDRESS).slice(2)}${word(42).slice(2)}`,
      items: [frame({ to: account(5) }), log(account(6), [word(1), word(43)], word(44))],
    });
    assert.deepEqual(keyCandidates(root), [
      ...[ALICE, BOB, word(account(5))],
      word(LONG_ADDRESS),
      ...[word(42), word(43), word(44)],
    ]);
  });
});

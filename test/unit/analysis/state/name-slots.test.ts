import assert from 'node:assert/strict';
import { keccak256 } from 'ethers';
import { keyCandidatesWork, nameSlotsWork } from '../../../../server/analysis/state/name-slots';
import { atOnce } from '../../../../server/kernel/async/slices';
import type { StorageLayout } from '../../../../server/analysis/storage-layout';
import type { Hash } from '../../../../server/api/primitives';
import { account, frame, log, mappingSlot, word, without } from '../../../support/analysis';

const keyCandidates = (...asked: Parameters<typeof keyCandidatesWork>) =>
  atOnce(keyCandidatesWork(...asked));
const nameSlots = (...asked: Parameters<typeof nameSlotsWork>) => atOnce(nameSlotsWork(...asked));

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
    assert.deepEqual(variables(mappingSlot(BOB, word(2)), word(7), word(0)), [
      [`balanceOf[${account(0xb0b)}]`, 'uint256', '7', '0'],
    ]);
    assert.deepEqual(variables(mappingSlot(BOB, mappingSlot(ALICE, word(3))), word(0), word(9)), [
      [`allowance[${alice}][${account(0xb0b)}]`, 'uint256', '0', '9'],
    ]);
    assert.equal(variables(mappingSlot(BOB, word(2)), word(7), word(0), [ALICE]), undefined);
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
      ALICE,
      BOB,
      word(account(5)),
      word(LONG_ADDRESS),
      word(42),
      word(43),
      word(44),
    ]);
  });
});

describe('names of slots in other layouts', () => {
  const types: NonNullable<StorageLayout['types']> = {
    ...LAYOUT.types,
    uint8: inplace('uint8', 1),
    bytes4: inplace('bytes4', 4),
    bytes32: inplace('bytes32', 32),
    int24: inplace('int24', 3),
    kind: inplace('enum Kind', 1),
    bytes: { ...inplace('bytes', 32), encoding: 'bytes' },
    small: inplace('uint8[40]', 64, { base: 'uint8' }),
    structs: { ...inplace('struct Shelf[]', 32), encoding: 'dynamic_array', base: 'shelf' },
    queues: { ...inplace('uint64[][]', 32), encoding: 'dynamic_array', base: 'list' },
    lost: { ...inplace('lost[]', 32), encoding: 'dynamic_array', base: 'missing' },
    byText: mapping('string'),
    byMissing: mapping('missing'),
  };
  function mapping(key: string, value = 'uint256') {
    const label = `mapping(${key} => ${value})`;
    return { encoding: 'mapping', label, numberOfBytes: '32', key, value } as const;
  }
  /** Names in a slot of a variable `v` in slot 0, with the values. */
  function named(
    type: string | (typeof types)[string],
    slot: Hash,
    [before, after]: [Hash, Hash] = [word(0), word(1)],
    keys: Hash[] = [],
  ) {
    const id = typeof type === 'string' ? type : 'own';
    const layout: StorageLayout = {
      storage: [{ label: 'v', offset: 0, slot: '0', type: id }],
      types: typeof type === 'string' ? types : { ...types, own: type },
    };
    return nameSlots([{ slot, before, after }], layout, keys)[0]?.variables?.map((one) =>
      [one.name, one.before, one.after].join(' '),
    );
  }
  const keyed = (key: string, slotKey: Hash) =>
    named(mapping(key), mappingSlot(slotKey, word(0)), undefined, [slotKey]);

  it('show keys in the notation of their types, and try only words of the type', () => {
    const left = (digits: string): Hash => `0x${digits.padEnd(64, '0')}`;
    const minusTwo = word((1n << 256n) - 2n);
    for (const [key, slotKey, name] of [
      ['bytes4', left('deadbeef'), '0xdeadbeef'],
      ['bytes32', left('ab'), `0x${'ab'.padEnd(64, '0')}`],
      ['int24', minusTwo, '-2'],
      ['uint8', word(255), '255'],
      ['bool', word(1), 'true'],
      ['kind', word(3), '3'],
      ['uint256', minusTwo, String((1n << 256n) - 2n)],
    ] as const) {
      assert.deepEqual(keyed(key, slotKey), [`v[${name}] 0 1`], key);
    }
    for (const [key, slotKey] of [
      ['bytes4', left('deadbeef01')],
      ['bytes4', word(1)],
      ['uint8', word(256)],
      ['address', left('11')],
      ['byText', word(1)],
      ['string', word(1)],
      ['missing', word(1)],
    ] as const) {
      assert.equal(keyed(key, slotKey), undefined, `${key} ${slotKey}`);
    }
  });

  it('show long texts as their slot, and bytes as hex', () => {
    const text = (digits: string, last: string): Hash => `0x${digits.padEnd(62, '0')}${last}`;
    assert.deepEqual(named('string', word(0), [text('4142', '04'), word(65)]), [
      `v AB ${word(65)}`,
    ]);
    assert.deepEqual(named('bytes', word(0), [text('4142', '04'), text('', '00')]), [
      'v 0x4142 0x',
    ]);
    assert.deepEqual(named('bytes4', word(0)), ['v 0x00000000 0x00000001']);
    assert.deepEqual(named('kind', word(0)), ['v 0 1']);
    assert.deepEqual(named('int24', word(0), [word(0), word(0xffffff)]), ['v 0 -1']);
  });

  it('find elements of arrays of any size', () => {
    assert.deepEqual(named('small', word(1), [word(0), word(1n << 56n)]), ['v[39] 0 1']);
    assert.equal(named('small', word(1), [word(0), word(1n << 64n)]), undefined);
    assert.equal(named('small', word(2)), undefined);
    const start = BigInt(keccak256(word(0)));
    const at = (distance: bigint): Hash => word(start + distance);
    assert.deepEqual(named('list', at(0n)), ['v[0] 0 1']);
    assert.deepEqual(named('list', at((1n << 32n) - 1n)), [`v[${(1n << 34n) - 4n}] 0 1`]);
    assert.equal(named('list', at(1n << 32n)), undefined);
    assert.equal(named('list', at(-1n)), undefined);
    assert.deepEqual(named('structs', at(3n)), ['v[1].goods 0 1']);
    assert.deepEqual(named('structs', at(2n)), [`v[1].owner ${account(0)} ${account(1)}`]);
    const inner = BigInt(keccak256(at(2n)));
    assert.deepEqual(named('queues', at(2n)), ['v[2].length 0 1']);
    assert.equal(named('queues', word(inner)), undefined, 'only the slot of the element is known');
    assert.equal(named('lost', at(0n)), undefined);
    assert.deepEqual(named('lost', word(0)), ['v.length 0 1']);
  });

  it('are missing for variables whose type the layout lacks', () => {
    assert.equal(named('missing', word(0)), undefined);
    const storage = [{ label: 'v', offset: 0, slot: '0', type: 'uint256' }];
    const change = { slot: word(0), before: word(0), after: word(1) };
    for (const layout of [{ storage }, { storage, types: null }] as StorageLayout[]) {
      assert.equal(nameSlots([change], layout, [])[0]?.variables, undefined);
    }
    const keyless = without(mapping('address'), 'key');
    const valueless = without(mapping('address'), 'value');
    assert.equal(named(keyless, mappingSlot(ALICE, word(0)), undefined, [ALICE]), undefined);
    assert.equal(named(valueless, mappingSlot(ALICE, word(0)), undefined, [ALICE]), undefined);
  });

  it('name each variable of a slot once', () => {
    const twice: StorageLayout = {
      storage: ['v', 'v', 'w'].map((label) => ({ label, offset: 0, slot: '0', type: 'uint256' })),
      types,
    };
    const change = { slot: word(0), before: word(0), after: word(1) };
    assert.deepEqual(
      nameSlots([change], twice, [])[0]?.variables?.map(({ name }) => name),
      ['v', 'w'],
    );
  });

  it('name several slots of one mapping', () => {
    const storage = [{ label: 'v', offset: 0, slot: '0', type: 'balances' }];
    const changes = [ALICE, BOB].map((key) => ({
      slot: mappingSlot(key, word(0)),
      before: word(0),
      after: word(1),
    }));
    assert.deepEqual(
      nameSlots(changes, { storage, types }, [ALICE, BOB]).map(
        ({ variables: found }) => found?.[0]?.name,
      ),
      [`v[${account(0xa11)}]`, `v[${account(0xb0b)}]`],
    );
  });
});

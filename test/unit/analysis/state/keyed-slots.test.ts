import assert from 'node:assert/strict';
import { concat, keccak256 } from 'ethers';
import { atOnce } from '../../../../server/kernel/async/slices';
import { explainSlotsWork, type SlotKeys } from '../../../../server/analysis/state/keyed-slots';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { mappingSlot, word } from '../../../support/analysis';

const [ALICE, BOB, CAROL] = (['a1', 'b0', 'ca'] as const).map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address];

const hash = (...parts: Hex[]): Hash => keccak256(concat(parts)) as Hash;

const after = (slot: Hash, distance: bigint): Hash => word(BigInt(slot) + distance);

const explainSlots = (...args: Parameters<typeof explainSlotsWork>) =>
  atOnce(explainSlotsWork(...args));

describe('explainSlotsWork', () => {
  const none: SlotKeys = { checked: [], named: [], pairs: [], ids: [] };
  const explain = (
    slots: Hash[],
    keys: Partial<SlotKeys> = {},
    values: [Hash, Hash] = [word(1), word(2)],
  ) => {
    const [before, then] = values;
    const found = explainSlots(
      slots.map((slot) => ({ slot, before, after: then })),
      { ...none, ...keys },
    );
    return { ...found, accounts: [...found.accounts] };
  };
  const owned = (accounts: Address[], variables = 0) => ({ accounts, variables, unexplained: 0 });
  const unknown = (unexplained: number, variables = 0) => ({
    accounts: [],
    variables,
    unexplained,
  });

  it('finds a checked account in a mapping of each compiler and library', () => {
    const key = word(ALICE);
    /** Namespace of OpenZeppelin's ERC20 (EIP-7201), from its source. */
    const namespace = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;
    for (const [name, slot] of [
      ['slot 0', mappingSlot(key, 0)],
      ['slot 31', mappingSlot(key, 31)],
      ['slot 311', mappingSlot(key, 311)],
      ['Vyper', hash(word(2), key)],
      ['Solady', keccak256(`${ALICE}000000000000000087a211a2`) as Hash],
      ['EIP-7201', mappingSlot(key, namespace)],
      ['EIP-7201, field 5', mappingSlot(key, namespace + 5n)],
      ['a field of a struct', after(mappingSlot(key, 3), 7n)],
      ['the address itself', key],
    ] as const) {
      assert.deepEqual(explain([slot], { checked: [BOB, ALICE] }), owned([ALICE]), name);
    }
    for (const [name, slot] of [
      ['slot 312', mappingSlot(key, 312)],
      ['a field too far', after(mappingSlot(key, 3), 8n)],
      ['the slot before', after(mappingSlot(key, 3), -1n)],
      ['beside the address', after(key, 1n)],
      ['another account', mappingSlot(word(CAROL), 0)],
    ] as const) {
      assert.deepEqual(explain([slot], { checked: [BOB, ALICE] }), unknown(1), name);
    }
  });

  it('finds a named account in the mapping of a checked one, or in the first variables', () => {
    const far = [mappingSlot(word(ALICE), 30), mappingSlot(word(BOB), 30)];
    assert.deepEqual(explain(far, { checked: [ALICE], named: [BOB] }), owned([ALICE, BOB]));
    assert.deepEqual(explain(far.slice(1), { named: [BOB] }), unknown(1));
    assert.deepEqual(explain([mappingSlot(word(BOB), 7)], { named: [BOB] }), owned([BOB]));
    assert.deepEqual(explain([mappingSlot(word(BOB), 8)], { named: [BOB] }), unknown(1));
  });

  it('finds the entries of ids, of the next id, and of nested mappings', () => {
    const plain = { ...unknown(0), unexplained: 0 };
    assert.deepEqual(explain([mappingSlot(word(7), 2)], { ids: [7n] }), plain);
    assert.deepEqual(explain([mappingSlot(word(8), 2)], { ids: [7n] }), plain);
    assert.deepEqual(explain([mappingSlot(word(6), 2)], { ids: [7n] }), unknown(1));
    const nested = mappingSlot(word(BOB), mappingSlot(word(ALICE), 1));
    const pairs = [[word(ALICE), word(BOB)]] as const;
    assert.deepEqual(explain([nested], { pairs }), plain);
    assert.deepEqual(explain([hash(hash(word(1), word(ALICE)), word(BOB))], { pairs }), plain);
    assert.deepEqual(
      explain([mappingSlot(word(ALICE), mappingSlot(word(BOB), 1))], { pairs }),
      unknown(1),
    );
  });

  it('finds the elements that an entry counts, and elements of arrays', () => {
    const count = mappingSlot(word(ALICE), 5);
    const element = (index: number) => mappingSlot(word(index), mappingSlot(word(ALICE), 4));
    const keys = { checked: [ALICE] };
    assert.deepEqual(explain([count, element(2)], keys), owned([ALICE]));
    assert.deepEqual(explain([count, element(1)], keys), owned([ALICE]));
    assert.equal(explain([count, element(3)], keys).unexplained, 1);
    assert.equal(explain([count, element(0)], keys, [word(1), word(0)]).unexplained, 0);
    const many = word(1n << 32n);
    assert.equal(
      explain([count, mappingSlot(many, mappingSlot(word(ALICE), 4))], keys, [word(0), many])
        .unexplained,
      1,
    );
    const list = after(keccak256(count) as Hash, 4n);
    assert.deepEqual(explain([count, list], keys), owned([ALICE]));
    assert.equal(explain([count, after(keccak256(count) as Hash, 1n << 32n)], keys).unexplained, 1);
    assert.equal(explain([count, after(keccak256(count) as Hash, -1n)], keys).unexplained, 1);
  });

  it('counts variables with the elements of their arrays', () => {
    assert.deepEqual(explain([word(2), word(300)]), unknown(0, 2));
    assert.deepEqual(explain([word(2), keccak256(word(2)) as Hash]), unknown(0, 1));
    assert.deepEqual(explain([word(2), keccak256(word(3)) as Hash]), unknown(1, 1));
    assert.deepEqual(explain([word(1n << 64n)]), unknown(1));
    assert.deepEqual(explain([word((1n << 64n) - 1n)]), unknown(0, 1));
    assert.deepEqual(explain([]), unknown(0));
  });
});

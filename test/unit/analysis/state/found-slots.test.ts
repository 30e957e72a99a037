import assert from 'node:assert/strict';
import { keccak256 } from 'ethers';
import { findPlacesWork, plausible } from '../../../../server/analysis/state/found-slots';
import {
  withFoundAmounts,
  withVariableAmounts,
} from '../../../../server/analysis/state/token-amounts';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { atOnce } from '../../../../server/kernel/async/slices';
import { account, mappingSlot, word } from '../../../support/analysis';

const [ANN, BOB]: [Address, Address] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`];
const KEYS = [word(ANN), word(BOB), word(7)];
const plus = (slot: Hash, more: bigint): Hash => word(BigInt(slot) + more);

function names(...slots: Hash[]) {
  const places = atOnce(findPlacesWork(slots, KEYS));
  return slots.map((slot) => places.get(slot)?.name);
}

describe('findPlacesWork', () => {
  it('finds keys of mappings, in the way of Solidity and of Vyper', () => {
    assert.deepEqual(names(mappingSlot(word(ANN), 3)), [`mapping@3[${ANN}]`]);
    assert.deepEqual(names(mappingSlot(word(7), 31)), ['mapping@31[7]']);
    const vyper = keccak256(`${word(4)}${word(BOB).slice(2)}`) as Hash;
    assert.deepEqual(names(vyper), [`mapping@4[${BOB}]`]);
  });

  it('finds nested keys, fields of structs and elements of arrays', () => {
    const inner = mappingSlot(word(BOB), mappingSlot(word(ANN), 1));
    assert.deepEqual(names(inner), [`mapping@1[${ANN}][${BOB}]`]);
    assert.deepEqual(names(plus(mappingSlot(word(ANN), 2), 3n)), [`mapping@2[${ANN}] + 3`]);
    assert.deepEqual(names(plus(keccak256(word(5)) as Hash, 12n)), ['array@5[12]']);
  });

  it('finds nothing for variables, unknown keys and far mappings', () => {
    assert.deepEqual(
      names(word(3), mappingSlot(word(account(0xdead)), 3), mappingSlot(word(ANN), 400)),
      [undefined, undefined, undefined],
    );
  });

  it('is bounded for many keys that do not fit', () => {
    const keys = Array.from({ length: 5_000 }, (_, index) => word(0x1000 + index));
    let steps = 0;
    const work = findPlacesWork([mappingSlot(word(ANN), 3)], keys);
    for (let next = work.next(); !next.done; next = work.next()) steps += next.value;
    assert.ok(steps < 15_000, String(steps));
  });
});

describe('plausible', () => {
  const read = (before: Hex, after: Hex) => plausible({ before, after });

  it('reads numbers below 2^112 and addresses', () => {
    assert.deepEqual(read(word(0), word(12n)), { type: 'uint256', before: '0', after: '12' });
    const [one, other] = [`0x${'c0'.repeat(20)}`, `0x${'d1'.repeat(20)}`] as const;
    assert.deepEqual(read(word(one), word(other)), { type: 'address', before: one, after: other });
    assert.deepEqual(read(word(0), word(other)), {
      type: 'address',
      before: `0x${'0'.repeat(40)}`,
      after: other,
    });
  });

  it('reads nothing of packed words, hashes and mixtures', () => {
    assert.deepEqual(read(word(1n << 200n), word(5)), {});
    assert.deepEqual(read(word(5), word(`0x${'c0'.repeat(20)}`)), {});
    const packed = (7_000_000_000n << 112n) + 5_000_000n;
    assert.deepEqual(read(word(packed), word(packed - 1n)), {});
  });
});

describe('amounts in storage', () => {
  const token = {
    address: account(0x70),
    facts: { symbol: 'hUSD', decimals: 6 },
    nets: new Map([
      [ANN, 2_000_000n],
      [BOB, -2_000_000n],
    ]),
  };
  const entry = (key: Hash, base: number, before: bigint, after: bigint) => ({
    slot: mappingSlot(key, base),
    before: word(before),
    after: word(after),
    found: plausible({ before: word(before), after: word(after) }),
  });
  function amounts(storage: ReturnType<typeof entry>[]) {
    const slots = storage.map(({ slot }) => slot);
    const places = atOnce(findPlacesWork(slots, KEYS));
    return withFoundAmounts(storage, places, token).map(({ found }) => found?.amount);
  }

  it('are those of a mapping whose entry changed by what the account received', () => {
    assert.deepEqual(amounts([entry(word(ANN), 2, 0n, 2_000_000n)]), [
      { asset: token.address, symbol: 'hUSD', before: '0', after: '2', change: '2' },
    ]);
    const [, other] = amounts([
      entry(word(BOB), 2, 5_000_000n, 3_000_000n),
      entry(word(7), 2, 1n, 2n),
    ]);
    assert.deepEqual(other?.change, '0.000001');
  });

  it('are not those of a mapping that only has the same keys', () => {
    assert.deepEqual(amounts([entry(word(ANN), 9, 3n, 4n)]), [undefined]);
  });

  it('are balances, allowances and the supply by their names', () => {
    const variable = (name: string, type = 'uint256') => ({
      name,
      type,
      before: '1000000',
      after: '500000',
    });
    const variables = [
      variable(`_balances[${ANN}]`),
      variable('totalSupply'),
      variable(`nonces[${ANN}]`),
      variable('balanceOf', 'bool'),
    ];
    const change = { slot: word(1), before: word(1), after: word(2), variables };
    const [found] = withVariableAmounts([change], token);
    assert.deepEqual(
      found?.variables?.map(({ amount }) => amount?.change),
      ['-0.5', '-0.5', undefined, undefined],
    );
  });
});

import assert from 'node:assert/strict';
import type { BalanceClaim } from '../../../../server/analysis/balances/claims';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import type { StateOverride } from '../../../../server/analysis/execution-state';
import type { Contract } from '../../../../server/analysis/ports';
import { atOnce } from '../../../../server/kernel/async/slices';
import { isExplained, tokenStorageWork } from '../../../../server/analysis/balances/token-storage';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { account, frame, log, mappingSlot, mined, word } from '../../../support/analysis';

const TOKEN = account(0x70);

const [ALICE, BOB, CAROL] = (['a1', 'b0', 'ca'] as const).map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address];

describe('isExplained', () => {
  const base = {
    asset: TOKEN,
    standard: 'erc20',
    accounts: new Set([ALICE, BOB]),
    unexplained: 0,
    variables: 0,
    unreported: [],
    needsSupply: false,
  } as const;
  const checked = (of: Address, measured: bigint, asset = TOKEN) => ({
    account: of,
    asset,
    standard: 'erc20' as const,
    amount: measured,
    measured,
  });
  const moved = [checked(ALICE, -5n), checked(BOB, 5n)];
  const supply = (change: bigint) => new Map([[TOKEN, change]]);

  it('requires that every changed slot has an owner', () => {
    assert.equal(isExplained(base, moved, new Map()), true);
    assert.equal(isExplained({ ...base, unexplained: 1 }, moved, new Map()), false);
    assert.equal(
      isExplained({ ...base, standard: 'erc721', unexplained: 1 }, [], new Map()),
      false,
    );
    assert.equal(
      isExplained({ ...base, standard: 'erc721', needsSupply: true }, [], new Map()),
      true,
    );
  });

  it('requires that changed balances are in these slots', () => {
    assert.equal(isExplained(base, [...moved, checked(CAROL, 1n)], new Map()), false);
    assert.equal(isExplained(base, [...moved, checked(CAROL, 0n)], new Map()), true);
    assert.equal(isExplained(base, [...moved, checked(TOKEN, 1n)], new Map()), true);
    const elsewhere = checked(CAROL, 1n, account(0x71));
    assert.equal(isExplained(base, [...moved, elsewhere], new Map()), true);
  });

  it('requires that the balances add up to the supply if variables changed', () => {
    const one = { ...base, needsSupply: true };
    const minted = [...moved, checked(BOB, 3n), checked(BOB, 9n, account(0x71))];
    assert.equal(isExplained(one, minted, supply(3n)), true);
    assert.equal(isExplained(one, minted, supply(4n)), false);
    assert.equal(isExplained(one, minted, new Map()), false);
  });
});

describe('the storage of tokens', () => {
  const claim = (of: Address, facts: Partial<BalanceClaim> = {}): BalanceClaim => ({
    account: of,
    asset: TOKEN,
    standard: 'erc20',
    amount: 0n,
    ...facts,
  });
  interface Story {
    claims?: BalanceClaim[];
    slots: Record<Hash, [Hash, Hash]>;
    root?: CallFrame;
    contracts?: [Address, Contract][];
    before?: StateOverride;
  }
  function read({
    claims = [claim(ALICE)],
    slots,
    root = frame(),
    contracts = [],
    before = {},
  }: Story) {
    const side = (index: 0 | 1): StateOverride => ({
      [TOKEN]: {
        stateDiff: Object.fromEntries(
          Object.entries(slots).map(([slot, values]) => [slot, values[index]]),
        ),
      },
    });
    const place = {
      root,
      state: {
        native: new Map<Address, bigint>(),
        before: { ...before, ...side(0) },
        after: side(1),
      },
      contracts: new Map(contracts),
      mined: mined({ block: { miner: BOB } }),
    };
    return atOnce(tokenStorageWork(claims, place));
  }
  const changed = [word(1), word(2)] as [Hash, Hash];
  const same = [word(1), word(1)] as [Hash, Hash];
  const slots = { [mappingSlot(word(ALICE), 0)]: changed, [mappingSlot(word(CAROL), 0)]: changed };
  const slotsOf = ([, after]: [Hash, Hash]) => ({ [mappingSlot(word(0x99), 7)]: after });
  const unreportedOf = (story: Omit<Story, 'slots'>) =>
    read({ ...story, slots }).map(({ unreported, unexplained }) => [unreported, unexplained]);

  it('tries a bounded number of keys of calls with many words and tokens with many holders', () => {
    const holders = Array.from({ length: 4_000 }, (_, index) => claim(account(0x10_000 + index)));
    const words = 3_800;
    const input = `0x12345678${'ab'.repeat(32 * words)}` as Hex;
    const calls = Array.from({ length: 20 }, () => frame({ to: TOKEN, input }));
    const work = tokenStorageWork(holders, {
      root: frame({ items: calls }),
      state: { native: new Map(), before: {}, after: { [TOKEN]: { stateDiff: slotsOf(changed) } } },
      contracts: new Map(),
      mined: mined({ block: { miner: BOB } }),
    });
    let steps = 0;
    for (let step = work.next(); step.done !== true; step = work.next()) steps += step.value;
    // Each word is read once.
    assert.ok(steps < calls.length * words + 20_000, `${steps} steps`);
  });

  it('finds owners among the accounts of calls, events, storage and code', () => {
    assert.deepEqual(unreportedOf({}), [[[], 1]]);
    const found = [[[claim(CAROL)], 0]];
    for (const root of [
      frame({ to: CAROL }),
      frame({ input: `0x12345678${word(CAROL).slice(2)}` }),
      frame({ output: word(CAROL) }),
      frame({ items: [log(ALICE, [word(0), word(CAROL)])] }),
      frame({ items: [log(ALICE, [], word(CAROL))] }),
    ]) {
      assert.deepEqual(unreportedOf({ root }), found);
    }
    const push = `0x600073${CAROL.slice(2)}5b` as Hex;
    assert.deepEqual(
      unreportedOf({
        contracts: [
          [ALICE, {}],
          [BOB, { code: push }],
        ],
      }),
      found,
    );
    for (const bytes of [0, 1, 2, 4, 8, 12]) {
      const value: Hash = word(BigInt(CAROL) << BigInt(8 * bytes));
      assert.deepEqual(
        unreportedOf({ before: { [BOB]: { stateDiff: { [word(5)]: value } } } }),
        found,
      );
    }
    const odd = word(BigInt(CAROL) << 24n);
    assert.deepEqual(unreportedOf({ before: { [BOB]: { stateDiff: { [word(5)]: odd } } } }), [
      [[], 1],
    ]);
  });

  it('knows the fee recipient, and does not list accounts that are checked', () => {
    const toMiner = {
      [mappingSlot(word(ALICE), 0)]: changed,
      [mappingSlot(word(BOB), 0)]: changed,
    };
    assert.deepEqual(read({ slots: toMiner })[0]?.unreported, [claim(BOB)]);
    assert.deepEqual(
      read({ slots: toMiner, claims: [claim(ALICE), claim(BOB)] })[0]?.unreported,
      [],
    );
  });

  it('ignores slots that did not change, and the zero address', () => {
    const [one] = read({ slots: { [mappingSlot(word(CAROL), 0)]: same } });
    assert.deepEqual([one?.unexplained, one?.unreported], [0, []]);
    const zero = { [mappingSlot(word(0), 0)]: changed, [word(2)]: changed };
    const [minted] = read({ slots: zero });
    assert.deepEqual([minted?.unreported, minted?.variables, minted?.needsSupply], [[], 1, false]);
  });

  it('needs the supply of a counted token if variables changed', () => {
    const need = (facts: Partial<BalanceClaim>, with2: Record<Hash, [Hash, Hash]>) =>
      read({ slots: with2, claims: [claim(ALICE, facts)] })[0]?.needsSupply;
    assert.equal(need({}, { [word(2)]: changed }), true);
    assert.equal(need({}, { [mappingSlot(word(ALICE), 0)]: changed }), false);
    assert.equal(need({ standard: 'erc721', tokenId: 7n }, { [word(2)]: changed }), false);
    const nft = claim(ALICE, { standard: 'erc1155', tokenId: 7n });
    assert.deepEqual(read({ slots, claims: [nft], root: frame({ to: CAROL }) })[0]?.unreported, []);
  });

  it('knows ids, their holders, allowances, and the arguments of calls', () => {
    const unexplained = (slot: Hash, story: Omit<Story, 'slots'>) =>
      read({ ...story, slots: { [slot]: changed } })[0]?.unexplained;
    const nested = (outer: Hash, inner: Hash) => mappingSlot(inner, mappingSlot(outer, 1));
    const nft = [claim(ALICE, { standard: 'erc1155', tokenId: 7n })];
    assert.equal(unexplained(mappingSlot(word(7), 2), { claims: nft }), 0);
    assert.equal(unexplained(nested(word(7), word(ALICE)), { claims: nft }), 0);
    assert.equal(unexplained(nested(word(ALICE), word(7)), { claims: nft }), 0);
    assert.equal(unexplained(nested(word(ALICE), word(7)), {}), 1);
    const allowance = nested(word(CAROL), word(BOB));
    const topic: Hash = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
    const approval = (token: Address, signature: Hash, error?: string) => ({
      root: frame({
        ...(error === undefined ? {} : { error }),
        items: [log(token, [signature, word(CAROL), word(BOB)])],
      }),
    });
    assert.equal(unexplained(allowance, approval(TOKEN, topic)), 0);
    assert.equal(unexplained(allowance, approval(ALICE, topic)), 1);
    assert.equal(unexplained(allowance, approval(TOKEN, word(1))), 1);
    assert.equal(unexplained(allowance, approval(TOKEN, topic, 'execution reverted')), 1);
    const call = (to: Address, ...words: Hash[]) => ({
      root: frame({
        from: CAROL,
        to,
        input: `0x12345678${words.map((one) => one.slice(2)).join('')}`,
      }),
    });
    assert.equal(unexplained(nested(word(5), word(CAROL)), call(TOKEN, word(5))), 0);
    assert.equal(unexplained(nested(word(CAROL), word(5)), call(TOKEN, word(4), word(5))), 0);
    assert.equal(unexplained(nested(word(CAROL), word(5)), call(BOB, word(5))), 1);
    const third = call(TOKEN, word(3), word(4), word(5));
    assert.equal(unexplained(nested(word(ALICE), word(5)), third), 0);
    assert.equal(unexplained(nested(word(CAROL), word(5)), third), 1);
  });

  it('separates the tokens of a transaction', () => {
    const other = account(0x71);
    const claims = [claim(ALICE), claim(CAROL, { asset: other })];
    assert.deepEqual(
      read({ slots, claims }).map(({ asset, unexplained, accounts }) => [
        asset,
        unexplained,
        [...accounts],
      ]),
      [
        [TOKEN, 1, [ALICE]],
        [other, 0, []],
      ],
    );
  });
});

import assert from 'node:assert/strict';
import { keccak256 } from 'ethers';
import { claimKey, type CheckedClaim } from '../../../../server/analysis/balances/claims';
import {
  BalanceVerifier,
  balanceVerification,
  withoutGuesses,
  type BalanceProof,
} from '../../../../server/analysis/balances/verify';
import type { Contract } from '../../../../server/analysis/ports';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { frame, log, network, word } from '../../../support/analysis';
import {
  ALICE,
  base,
  BOB,
  COLLECTOR,
  fee,
  MINER,
  ownerSlot,
  paidFee,
  SUPPLY,
  TOKEN,
  transaction,
  TRANSFER_TOPIC,
  transferLog,
  verify,
  type Story,
} from '../../../support/balance-verification';
import type { Handlers } from '../../../support/scripted-rpc';

describe('the verification of balance changes', () => {
  it('subtracts fees from the native difference and reads balanceOf in the state', async () => {
    assert.deepEqual(
      await verify({
        root: frame({ value: 5n, items: [transferLog(10)] }),
        native: { [ALICE]: [2n * fee + 5n, fee], [BOB]: [0n, 5n], [MINER]: [0n, fee] },
        tokens: { [ALICE]: [100, 90], [BOB]: [0, 10] },
      }),
      { ...base, native: 'verified', tokens: 'verified' },
    );
  });

  it('detects tokens that keep a fee', async () => {
    assert.deepEqual(
      await verify({
        root: frame({ items: [transferLog(10)] }),
        native: paidFee,
        tokens: { [ALICE]: [100, 90], [BOB]: [0, 9] },
      }),
      {
        ...base,
        native: 'verified',
        tokens: 'different',
        firstDifference: `balance of ${BOB} in ${TOKEN}: 10 in the trace, 9 in the state`,
      },
    );
  });

  it('detects tokens that move without a log, and ether that no call moved', async () => {
    const input: Hex = `0xa9059cbb${word(BigInt(BOB)).slice(2)}${word(7).slice(2)}`;
    const { untold, tokens, native } = await verify({
      root: frame({ items: [frame({ from: ALICE, to: TOKEN, input })] }),
      native: { ...paidFee, [BOB]: [1n, 3n] },
      tokens: { [ALICE]: [100, 93], [BOB]: [0, 7] },
    });
    assert.deepEqual({ tokens, native }, { tokens: 'different', native: 'different' });
    assert.deepEqual(
      untold?.map(({ account: of, rawAmount, sign }) => [of, rawAmount, sign]),
      [
        [BOB, '2', true],
        [ALICE, '7', false],
        [BOB, '7', true],
      ],
    );
  });

  it('leaves tokens unchecked if the node ignores state or fails, or if the token does not answer', async () => {
    const story = { root: frame({ items: [transferLog(10)] }), native: paidFee };
    const nodes: Handlers[] = [
      { eth_call: () => word(0) },
      {
        eth_call: () => {
          throw new RpcError(-32602, 'too many arguments');
        },
      },
      {
        eth_call: ({ data }: { data?: Hex }) => (data === undefined ? word(1) : '0x'),
      },
    ];
    for (const node of nodes) {
      assert.deepEqual(await verify({ ...story, node }), {
        ...base,
        native: 'verified',
        tokens: 'unchecked',
      });
    }
  });

  const CAROL: Address = `0x${'ca'.repeat(20)}`;
  const taking = {
    root: frame({ items: [transferLog(9)] }),
    native: paidFee,
    tokens: { [ALICE]: [100, 91], [BOB]: [0, 9] } as NonNullable<Story['tokens']>,
  };

  it('finds an account that gained without an event, by an address in storage', async () => {
    const { tokens, untold } = await verify({
      ...taking,
      tokens: { ...taking.tokens, [CAROL]: [0, 1] },
      slots: { [word(COLLECTOR)]: [BigInt(CAROL), BigInt(CAROL)] },
    });
    assert.equal(tokens, 'different');
    assert.deepEqual(untold, [{ account: CAROL, address: TOKEN, rawAmount: '1', sign: true }]);
  });

  it('leaves tokens unchecked if a changed slot belongs to an unknown account', async () => {
    const tokens: Story['tokens'] = { ...taking.tokens, [CAROL]: [0, 1] };
    assert.equal((await verify({ ...taking, tokens })).tokens, 'unchecked');
  });

  it('recognizes allowances, checkpoints and the supply', async () => {
    const nested = (key: Hash, outer: Hash): Hash => keccak256(`${key}${outer.slice(2)}`) as Hash;
    const allowance = nested(word(BigInt(CAROL)), nested(word(BigInt(ALICE)), word(1)));
    const count = nested(word(BigInt(ALICE)), word(5));
    const checkpoint = nested(word(0), nested(word(BigInt(ALICE)), word(4)));
    const list = `0x${(BigInt(keccak256(count)) + 1n).toString(16).padStart(64, '0')}` as const;
    const input: Hex = `0x23b872dd${[ALICE, BOB, 9n].map((one) => word(one).slice(2)).join('')}`;
    const call = frame({ from: CAROL, to: TOKEN, input, items: [transferLog(9)] });
    assert.equal(
      (
        await verify({
          ...taking,
          root: frame({ items: [call] }),
          slots: { [allowance]: [20, 11], [count]: [0, 1], [checkpoint]: [0, 91], [list]: [0, 1] },
        })
      ).tokens,
      'verified',
    );
    const burnt = {
      ...taking,
      tokens: { [ALICE]: [100, 91], [BOB]: [0, 8] } as NonNullable<Story['tokens']>,
    };
    const root = frame({ items: [transferLog(9)] });
    const supplied = (after: number, story: Story) =>
      verify({ ...story, slots: { [word(SUPPLY)]: [100, after] } });
    assert.equal((await supplied(99, { ...burnt, root })).tokens, 'different');
    assert.equal((await supplied(99, taking)).tokens, 'unchecked', 'the sum differs');
    const mintLog = log(TOKEN, [TRANSFER_TOPIC, word(0), word(BigInt(BOB))], word(9));
    const minted: Story = {
      root: frame({ items: [mintLog] }),
      native: paidFee,
      tokens: { [BOB]: [0, 9] },
    };
    assert.equal((await supplied(109, minted)).tokens, 'verified');
    assert.equal((await supplied(110, minted)).tokens, 'unchecked');
  });

  it('leaves tokens unchecked whose balances are stored elsewhere', async () => {
    const answers = [100, 91, 0, 9];
    const node: Handlers = {
      eth_call: ({ data }: { data?: Hex }) => word(data === undefined ? 1 : answers.shift()!),
    };
    assert.equal((await verify({ root: taking.root, native: paidFee, node })).tokens, 'unchecked');
  });

  describe('of tokens with ids', () => {
    const moved = (id: number) =>
      log(TOKEN, [TRANSFER_TOPIC, word(BigInt(ALICE)), word(BigInt(BOB)), word(id)]);
    const owned = (before: Address | 0, after: Address | 0): Story => ({
      root: frame({ items: [moved(7)] }),
      native: paidFee,
      slots: { [ownerSlot(7n)]: [BigInt(before), BigInt(after)] },
    });

    it('compares the owners before and after', async () => {
      assert.equal((await verify(owned(ALICE, BOB))).tokens, 'verified');
      assert.equal((await verify(owned(ALICE, ALICE))).tokens, 'different');
      assert.equal((await verify(owned(BOB, BOB))).tokens, 'different');
      assert.equal((await verify(owned(ALICE, CAROL))).tokens, 'different');
    });

    it('handles mints and burns, and leaves a token without any owner unchecked', async () => {
      const minted = log(TOKEN, [TRANSFER_TOPIC, word(0), word(BigInt(BOB)), word(7)]);
      const root = frame({ items: [minted] });
      assert.equal((await verify({ ...owned(0, BOB), root })).tokens, 'verified');
      assert.equal((await verify(owned(0, 0))).tokens, 'unchecked');
    });

    it('stays unchecked if another token changed its owner without an event', async () => {
      const story = owned(ALICE, BOB);
      const slots = { ...story.slots, [ownerSlot(99n)]: [BigInt(CAROL), BigInt(BOB)] };
      assert.equal(
        (await verify({ ...story, slots: slots as NonNullable<Story['slots']> })).tokens,
        'unchecked',
      );
    });
  });

  it('leaves tokens unchecked whose transfer events have a non-standard form', async () => {
    const odd = log(TOKEN, [TRANSFER_TOPIC, word(BigInt(ALICE))], word(1));
    assert.equal(
      (await verify({ root: frame({ items: [odd] }), native: paidFee })).tokens,
      'unchecked',
    );
  });

  it('leaves everything unchecked if no state is available, or not in time', async () => {
    const root = frame();
    const request = {
      network: network(),
      mined: transaction,
      trace: { root, method: 'debug', reportedGas: 0 },
      transfers: [],
      nets: [],
      contracts: new Map<Address, Contract>(),
    } as const;
    const { signal } = new AbortController();
    for (const state of [
      () => Promise.resolve(undefined),
      () => Promise.reject(new Error('down')),
      (_on: unknown, _mined: unknown, _root: unknown, limit: AbortSignal) =>
        new Promise<never>((_resolve, reject) => {
          limit.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
    ]) {
      const { native, tokens } = await new BalanceVerifier({ state }, 50).prove(request, signal);
      assert.deepEqual({ native, tokens }, { native: 'unchecked', tokens: 'unchecked' });
    }
  });
});

describe('the verification in an answer', () => {
  const claim = (amount: bigint, measured: bigint, account = BOB) => ({
    account,
    asset: TOKEN,
    standard: 'erc20' as const,
    amount,
    measured,
  });
  const proof = (facts: Partial<BalanceProof>, ...checked: CheckedClaim[]): BalanceProof => ({
    native: 'verified',
    tokens: 'verified',
    checked: new Map(checked.map((one) => [claimKey(one), one])),
    ...facts,
  });

  it('lowers the level of a trace that the native balances contradict', () => {
    const firstDifference = 'balance of a: 1 in the trace, 2 in the state';
    const different = proof({ native: 'different', firstDifference });
    assert.deepEqual(balanceVerification(base, different), {
      ...base,
      level: 'receipt',
      reason: firstDifference,
      firstDifference,
      native: 'different',
      tokens: 'verified',
      compared: { native: 0, tokens: 0 },
    });
    const receipt = { ...base, level: 'receipt' } as const;
    assert.equal('reason' in balanceVerification(receipt, different), false);
    const onTokens = proof({ tokens: 'different', firstDifference });
    assert.equal(balanceVerification(base, onTokens).level, 'state-proved');
    const own = { ...base, firstDifference: 'gas' };
    assert.equal(balanceVerification(own, onTokens).firstDifference, 'gas');
  });

  it('keeps only differences of a trace that is a guess', () => {
    const wrong = claim(1n, 2n, ALICE);
    const weak = withoutGuesses(proof({}, claim(1n, 1n), wrong));
    assert.deepEqual([weak.native, weak.tokens], ['unchecked', 'unchecked']);
    assert.deepEqual([...weak.checked.values()], [wrong]);
    const { native, tokens } = withoutGuesses(proof({ native: 'different', tokens: 'different' }));
    assert.deepEqual([native, tokens], ['different', 'different']);
  });

  it('names the id of the first token that differs', async () => {
    const moved = log(TOKEN, [TRANSFER_TOPIC, word(BigInt(ALICE)), word(BigInt(BOB)), word(7)]);
    const { firstDifference } = await verify({
      root: frame({ items: [moved] }),
      native: paidFee,
      slots: { [ownerSlot(7n)]: [BigInt(ALICE), BigInt(ALICE)] },
    });
    assert.equal(
      firstDifference,
      `balance of ${ALICE} in ${TOKEN} #7: -1 in the trace, 0 in the state`,
    );
  });

  it('is not made when the request was cancelled', async () => {
    const controller = new AbortController();
    const down = () => {
      controller.abort();
      return Promise.reject(new Error('down'));
    };
    const trace = { root: frame(), method: 'debug', reportedGas: 0 } as const;
    const request = { network: network(), mined: transaction, trace, transfers: [], nets: [] };
    const proving = new BalanceVerifier({ state: down }).prove(
      { ...request, contracts: new Map() },
      controller.signal,
    );
    await assert.rejects(proving, { message: 'This operation was aborted' });
  });
});

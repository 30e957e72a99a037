import assert from 'node:assert/strict';
import type { BalanceClaim } from '../../../../server/analysis/balances/claims';
import type { StateOverride } from '../../../../server/analysis/execution-state';
import { checkNative, checkTokens } from '../../../../server/analysis/balances/measure';
import type { NetChange } from '../../../../server/analysis/balances/net-changes';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address, Hex } from '../../../../server/api/primitives';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { account, mined, network, word } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const [ALICE, BOB, TOKEN, MINER] = [account(0xa11), account(0xb0b), account(0x70), account(0xfee)];

describe('checkNative', () => {
  const transaction = mined({ block: { baseFeePerGas: '0x1dcd6500' } });
  const paid = 21_000n * 10n ** 9n;
  const tip = paid / 2n;
  const net = (of: Address, amount: bigint): NetChange => ({
    account: of,
    asset: NATIVE_ASSET,
    standard: 'native',
    amount,
  });
  /** Measured changes by account. */
  const measured = (nets: NetChange[], changes: [Address, bigint][]) =>
    checkNative(nets, { native: new Map(changes), before: {}, after: {} }, transaction).map(
      (claim) => [claim.account, claim.amount, claim.measured],
    );

  it('adds the fee to the change of its payer', () => {
    assert.deepEqual(measured([net(ALICE, -5n), net(BOB, 5n)], [[ALICE, -5n - paid]]), [
      [ALICE, -5n, -5n],
      [BOB, 5n, 0n],
    ]);
  });

  it('accepts that the fee recipient received its share, nothing or all', () => {
    for (const share of [tip, 0n, paid]) {
      assert.deepEqual(measured([], [[MINER, share]]), [[MINER, 0n, 0n]]);
      assert.deepEqual(measured([net(MINER, 3n)], [[MINER, share + 3n]]), [[MINER, 3n, 3n]]);
    }
    assert.deepEqual(measured([], [[MINER, tip + 1n]]), [[MINER, 0n, 1n]]);
  });

  it('accepts that an account of the chain received a part of the fee', () => {
    for (const share of [tip, paid - tip, paid]) {
      assert.deepEqual(measured([], [[BOB, share]]), [[BOB, 0n, 0n]]);
      assert.deepEqual(measured([net(BOB, 3n)], [[BOB, share + 3n]]), [[BOB, 3n, 3n]]);
    }
    assert.deepEqual(measured([], [[BOB, tip + 1n]]), [[BOB, 0n, tip + 1n]]);
  });

  it('omits the vaults of rollups that only received fees', () => {
    const vault: Address = '0x4200000000000000000000000000000000000019';
    assert.deepEqual(measured([], [[vault, 9n]]), []);
    assert.deepEqual(measured([net(vault, 9n)], [[vault, 9n]]), [[vault, 9n, 9n]]);
    assert.deepEqual(measured([], [[BOB, 9n]]), [[BOB, 0n, 9n]]);
  });

  it('subtracts the shares of the vaults of the OP Stack', () => {
    const vault = (byte: string): Address => `0x42000000000000000000000000000000000000${byte}`;
    const receipt = { effectiveGasPrice: '0x3b9aca00', l1Fee: '0x64' } as const;
    const op = mined({
      receipt,
      block: { baseFeePerGas: '0x1dcd6500', miner: vault('11') },
    });
    const native = new Map<Address, bigint>([
      [vault('19'), tip],
      [vault('1a'), 100n],
      [vault('1b'), 7n],
    ]);
    const claims = checkNative([], { native, before: {}, after: {} }, op);
    assert.deepEqual(
      claims.map(({ measured: wei }) => wei),
      [0n, 0n, 7n],
    );
  });
});

describe('checkTokens', () => {
  const [BEFORE, AFTER] = [word(1), word(2)];
  const side = (slot: Hex): StateOverride => ({
    [TOKEN]: { balance: '0x1', code: '0x60', stateDiff: { [word(0)]: slot } },
    [BOB]: { balance: '0x2' },
    [ALICE]: { balance: '0x3', code: '0xef0100' },
    [MINER]: { stateDiff: { [word(9)]: word(9) } },
  });
  const state = { native: new Map(), before: side(BEFORE), after: side(AFTER) };
  const erc20 = (of: Address, asset = TOKEN): BalanceClaim => ({
    account: of,
    asset,
    standard: 'erc20',
    amount: 0n,
  });

  /** @param answer of a token to call data, by the side of the transaction */
  async function check(
    claims: BalanceClaim[],
    answer: (data: Hex, isAfter: boolean, to: Address) => unknown,
    supplies: Address[] = [],
  ) {
    const node = new ScriptedRpc({
      eth_call: (
        { to, data }: { to: Address; data?: Hex },
        _block: Hex,
        overrides: StateOverride,
      ) => {
        if (data === undefined) return word(1);
        return answer(data, overrides[TOKEN]?.stateDiff?.[word(0)] === AFTER, to);
      },
    });
    const { signal } = new AbortController();
    const found = await checkTokens(
      claims,
      supplies,
      { state, network: network(node), block: '0x64' },
      signal,
    );
    return {
      node,
      measured: found.checked.map(({ measured }) => measured),
      unanswered: found.unanswered,
      supplies: [...found.supplies],
    };
  }

  it('calls the token with the state of each side, without native balances', async () => {
    const { node } = await check([erc20(BOB)], () => word(0));
    const data = `0x70a08231${word(BOB).slice(2)}`;
    const gas = '0x1e8480';
    const override = (slot: Hex) => ({
      [TOKEN]: { code: '0x60', stateDiff: { [word(0)]: slot } },
      [ALICE]: { code: '0xef0100' },
      [MINER]: { stateDiff: { [word(9)]: word(9) } },
    });
    assert.deepEqual(
      node.calls.slice(1).map(({ params }) => params),
      [BEFORE, AFTER].map((slot) => [{ to: TOKEN, data, gas }, '0x64', override(slot)]),
    );
    const { node: other } = await check([erc20(BOB, BOB)], () => word(0));
    assert.deepEqual((other.calls[1]?.params[2] as StateOverride)[BOB], {});
  });

  it('asks in the way of each standard', async () => {
    const id = { asset: TOKEN, tokenId: 7n, amount: 0n, account: BOB };
    const { node, measured } = await check(
      [
        { ...id, standard: 'erc1155' },
        { ...id, standard: 'erc721' },
      ],
      (data, isAfter) =>
        data.startsWith('0x6352211e') ? word(isAfter ? BOB : ALICE) : word(isAfter ? 9 : 4),
    );
    assert.deepEqual(measured, [5n, 1n]);
    assert.deepEqual(
      [1, 3].map((place) => (node.calls[place]?.params[0] as { data: Hex }).data),
      [`0x00fdd58e${word(BOB).slice(2)}${word(7).slice(2)}`, `0x6352211e${word(7).slice(2)}`],
    );
  });

  it('does not count balances that the token does not report as one word', async () => {
    for (const odd of ['0x', `${word(1)}00`, `x${word(1)}`, 5, null]) {
      for (const oddSide of [true, false]) {
        const { measured, unanswered } = await check([erc20(BOB)], (_data, isAfter) =>
          isAfter === oddSide ? odd : word(1),
        );
        assert.deepEqual([measured, unanswered], [[], 1], JSON.stringify(odd));
      }
    }
  });

  it('takes a revert for a token without an owner, and no other error', async () => {
    const claim: BalanceClaim = { ...erc20(BOB), standard: 'erc721', tokenId: 7n };
    const afterError = (error: Error) =>
      check([claim], (_data, isAfter) => {
        if (isAfter) return word(BOB);
        throw error;
      });
    for (const message of ['execution reverted: none', 'invalid opcode: INVALID']) {
      assert.deepEqual((await afterError(new RpcError(3, message))).measured, [1n], message);
    }
    for (const error of [new RpcError(-32005, 'limit exceeded'), new Error('it reverted')]) {
      const { measured, unanswered } = await afterError(error);
      assert.deepEqual([measured, unanswered], [[], 1], error.message);
    }
    assert.deepEqual((await check([claim], () => word(0))).unanswered, 1);
    const burnt = await check([claim], (_data, isAfter) => word(isAfter ? 0 : BOB));
    assert.deepEqual(burnt.measured, [-1n]);
    const odd = await check([claim], (_data, isAfter) => (isAfter ? '0x' : word(BOB)));
    assert.deepEqual([odd.measured, odd.unanswered], [[], 1]);
  });

  it('omits a wrapper’s balance in itself that did not change', async () => {
    const { measured, unanswered } = await check([erc20(TOKEN), erc20(BOB)], () => word(3));
    assert.deepEqual([measured, unanswered], [[0n], 0]);
    const changed = await check([erc20(TOKEN)], (_data, isAfter) => word(isAfter ? 4 : 3));
    assert.deepEqual(changed.measured, [1n]);
    const counted: BalanceClaim = { ...erc20(TOKEN), standard: 'erc1155', tokenId: 1n };
    assert.deepEqual((await check([counted], () => word(3))).measured, [0n]);
  });

  it('reads the change of each supply, and omits tokens that do not answer', async () => {
    const other = account(0x71);
    const { supplies, measured } = await check(
      [erc20(BOB), erc20(ALICE)],
      (data, isAfter, to) => {
        if (data !== '0x18160ddd') return word(isAfter ? 2 : 1);
        return to === other ? '0x' : word(isAfter ? 100 : 90);
      },
      [other, TOKEN],
    );
    assert.deepEqual(measured, [1n, 1n]);
    assert.deepEqual(supplies, [[TOKEN, 10n]]);
  });

  it('checks up to 200 balances', async () => {
    const claims = Array.from({ length: 201 }, (_, index) => erc20(account(index + 0x1000)));
    const { measured, unanswered } = await check(claims, () => word(3));
    assert.deepEqual([measured.length, unanswered], [200, 1]);
    const { node, unanswered: none } = await check([], () => word(3));
    assert.deepEqual([node.calls, none], [[], 0]);
  });
});

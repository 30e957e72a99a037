import assert from 'node:assert/strict';
import { atOnce } from '../../../../server/kernel/async/slices';
import { nativeClaims, tokenClaimsWork } from '../../../../server/analysis/balances/claims';

import { netChanges } from '../../../../server/analysis/balances/net-changes';
import type { CallFrame } from '../../../../server/analysis/call-frame';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address, Hex } from '../../../../server/api/primitives';
import { account, frame, log, word } from '../../../support/analysis';

const tokenClaims = (...input: Parameters<typeof tokenClaimsWork>) =>
  atOnce(tokenClaimsWork(...input));
const [ALICE, BOB, TOKEN, MINER] = [account(0xa11), account(0xb0b), account(0x70), account(0xfee)];

describe('the balances to verify', () => {
  const CAROL: Address = `0x${'ca'.repeat(20)}`;
  const OTHER = account(0x71);
  const data = (selector: Hex, ...words: (Address | bigint)[]): Hex =>
    `${selector}${words.map((one) => word(one).slice(2)).join('')}`;
  const pays = data('0xa9059cbb', BOB, 7n);
  const paysFor = data('0x23b872dd', CAROL, BOB, 7n);
  const token = (account: Address) => ({ account, asset: TOKEN, standard: 'erc20', amount: 0n });
  const claims = (...items: CallFrame['items'][number][]) => tokenClaims(frame({ items }), [], []);
  const call = (facts: Partial<CallFrame>) => frame({ from: ALICE, to: TOKEN, ...facts });

  it('are those of the parties of calls without an event', () => {
    assert.deepEqual(claims(call({ input: pays })), [token(ALICE), token(BOB)]);
    assert.deepEqual(claims(call({ input: paysFor })), [token(CAROL), token(BOB)]);
    assert.deepEqual(claims(call({ input: pays }), call({ input: pays })), [
      token(ALICE),
      token(BOB),
    ]);
    const burn = data('0xa9059cbb', account(0), 7n);
    assert.deepEqual(claims(call({ input: burn })), [token(ALICE)]);
  });

  it('are not those of other calls, of failed ones, and of data in another form', () => {
    const approve = data('0x095ea7b3', BOB, 7n);
    const others: Partial<CallFrame>[] = [
      { input: approve },
      { input: `${pays}00` },
      { input: `${paysFor}00` },
      { input: pays.slice(0, -2) as Hex },
      { input: data('0x12345678', CAROL, BOB, 7n) },
      { input: pays, error: 'execution reverted' },
      { input: pays, type: 'DELEGATECALL' },
      { input: pays, type: 'STATICCALL' },
      { input: pays, to: null },
    ];
    for (const facts of others)
      assert.deepEqual(claims(call(facts)), [], JSON.stringify(facts.input));
    const root = frame({ from: ALICE, to: TOKEN, input: pays, items: [log(OTHER, [])] });
    assert.deepEqual(tokenClaims(root, [], []), [token(ALICE), token(BOB)]);
  });

  it('are not those of calls of a token that emits events', () => {
    const transfer = { standard: 'erc20', asset: TOKEN, from: ALICE, to: BOB, amount: 7n } as const;
    const root = frame({ items: [call({ input: paysFor }), call({ to: OTHER, input: paysFor })] });
    assert.deepEqual(tokenClaims(root, [transfer], netChanges([transfer])), [
      { ...token(ALICE), amount: -7n },
      { ...token(BOB), amount: 7n },
      { ...token(CAROL), asset: OTHER },
      { ...token(BOB), asset: OTHER },
    ]);
  });

  it('have the ids of their tokens, and the amount of the same standard', () => {
    const moved = {
      standard: 'erc721',
      asset: TOKEN,
      tokenId: 7n,
      from: ALICE,
      to: BOB,
      amount: 1n,
    } as const;
    const nets = [
      ...netChanges([moved]),
      { account: ALICE, asset: TOKEN, standard: 'erc20', amount: 9n } as const,
    ];
    const id = { asset: TOKEN, standard: 'erc721', tokenId: 7n };
    assert.deepEqual(tokenClaims(frame(), [moved], nets), [
      { ...id, account: ALICE, amount: -1n },
      { ...id, account: BOB, amount: 1n },
    ]);
    const counted = {
      standard: 'erc1155',
      asset: TOKEN,
      from: ALICE,
      to: BOB,
      amount: 1n,
    } as const;
    const wrong = [{ account: ALICE, asset: TOKEN, standard: 'erc20', amount: 9n } as const];
    assert.deepEqual(
      tokenClaims(frame(), [counted], wrong).map(({ amount }) => amount),
      [0n, 0n],
    );
  });

  it('of the native asset are those that changed or should have', () => {
    const nets = netChanges([
      { standard: 'native', asset: NATIVE_ASSET, from: ALICE, to: BOB, amount: 5n },
      { standard: 'erc20', asset: TOKEN, from: CAROL, to: BOB, amount: 9n },
    ]);
    const native = { asset: NATIVE_ASSET, standard: 'native' };
    assert.deepEqual(nativeClaims(nets, [BOB, MINER]), [
      { ...native, account: BOB, amount: 5n },
      { ...native, account: MINER, amount: 0n },
      { ...native, account: ALICE, amount: -5n },
    ]);
  });
});

import assert from 'node:assert/strict';
import type { Analysis } from '../../server/api/views';
import { toWord } from '../../server/evm/forms/quantity';
import { nativeMoves } from '../support/native-moves';
import { startService, type TestService } from '../support/service';
import { eachObject, UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

/** 1,500 ether: more than the sender's balance. */
const MINT = `0x${(1_500n * 10n ** 18n).toString(16)}`;

/** Fields of an OP Stack deposit, which is unsigned. */
const DEPOSIT = {
  type: '0x7e',
  sourceHash: `0x${'aa'.repeat(32)}`,
  mint: MINT,
  value: MINT,
  isSystemTx: false,
  gasPrice: '0x0',
  r: undefined,
  s: undefined,
  v: undefined,
  yParity: undefined,
};

const DEPOSIT_RECEIPT = { type: '0x7e', effectiveGasPrice: '0x0', depositNonce: '0x0' };

describe('a block that begins with a deposit, on a node without debug API', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestService;
  const hashes: string[] = [];

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    for (const sender of [ALICE, BOB, ALICE]) {
      hashes.push(await chain.send(sender, { to: COUNTER, type: 0 }));
    }
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    proxy.fault = withoutDebugApi;
    proxy.rewrite = (answer) =>
      eachObject(answer, (one) => {
        if (Number(one['transactionIndex']) !== 0) return one;
        if (one['input'] !== undefined) return { ...one, ...DEPOSIT };
        return one['gasUsed'] === undefined ? one : { ...one, ...DEPOSIT_RECEIPT };
      });
    service = await startService({
      counted: true,
      config: {
        chains: [ethChain(proxy.url, { slug: 'l2', hardfork: 'prague' })],
        abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await proxy.close();
    await engines.close();
  });

  const analyse = (index: number) =>
    service.request<Analysis>(
      'GET',
      `/v1/explorer/l2/transaction/${hashes[index]}/analysis?proof=wait`,
    );

  for (const [index, balance] of [
    [1, 10n ** 21n],
    [2, 10n ** 21n], // ALICE transferred the minted amount immediately
  ] as const) {
    it(`is executed again before transaction ${index}`, async () => {
      const { message, data } = await analyse(index);
      assert.equal(message, 'OK');
      const { level, method, applied, faithful, reason } = data.verification!;
      assert.deepEqual([method, applied, faithful], ['replay', index, true]);
      // The node of the test chain executed the deposit as an ordinary transaction, whose fee the fee recipient has after the block.
      assert.equal(level, 'receipt');
      assert.match(
        reason ?? '',
        /^balance of 0x[0-9a-f]{40} is \d+ by the replay, \d+ on the chain$/,
      );
      const { from } = data.transaction;
      const changed = (address: string) =>
        data.stateDiff?.accounts.find((account) => account.address === address);
      assert.equal(changed(from)?.balance?.before, String(balance));
      assert.deepEqual(changed(COUNTER)?.storage, [
        {
          slot: toWord(0),
          before: toWord(index),
          after: toWord(index + 1),
          found: { type: 'uint256', before: String(index), after: String(index + 1) },
        },
      ]);
    });
  }

  it('is analyzed itself, including the mint', async () => {
    const { message, data } = await analyse(0);
    assert.equal(message, 'OK');
    const { method, faithful } = data.verification!;
    assert.deepEqual([method, faithful], ['replay', true]);
    const alice = ALICE.address.toLowerCase();
    assert.deepEqual(
      data.fundFlow?.map(({ from, to, amount }) => [from, to, amount]),
      [
        ['', alice, '1500'],
        [alice, COUNTER, '1500'],
      ],
    );
    assert.deepEqual(nativeMoves(data.balanceChange!), [[COUNTER, String(BigInt(MINT))]]);
    assert.equal(data.transaction.fee, '0');
    const balances = data.stateDiff?.accounts.map(({ address, balance, nonce }) => [
      address,
      balance && [balance.before, balance.after],
      nonce && [nonce.before, nonce.after],
    ]);
    assert.deepEqual(balances, [
      [alice, undefined, [0, 1]],
      [COUNTER, ['0', String(BigInt(MINT))], undefined],
    ]);
  });
});

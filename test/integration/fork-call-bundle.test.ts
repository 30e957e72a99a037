import assert from 'node:assert/strict';
import { concat, keccak256, Transaction } from 'ethers';
import { call, refusal } from '../support/json-rpc';
import { useForkAddress } from './fork-suite';
import { ALICE, COUNTER } from './fork-upstream';

const MAKER = `0x${'3a'.repeat(20)}`;
/** A creation whose code reverts. */
const REVERTING = '0x60006000fd';
const TIP = 1_000_000_000n;

interface BundleAnswer {
  bundleHash: string;
  bundleGasPrice: string;
  coinbaseDiff: string;
  ethSentToCoinbase: string;
  gasFees: string;
  stateBlockNumber: number;
  totalGasUsed: number;
  results: Record<string, unknown>[];
}

describe('eth_callBundle', () => {
  const on = useForkAddress();

  const signed = async (nonce: number, fields: object): Promise<string> =>
    ALICE.signTransaction({
      type: 2,
      chainId: Number(await call(on.rpc, 'eth_chainId')),
      nonce,
      gasLimit: 100_000,
      maxFeePerGas: 100n * TIP,
      maxPriorityFeePerGas: TIP,
      ...fields,
    });
  const nonceOfAlice = async (): Promise<number> =>
    Number(await call(on.rpc, 'eth_getTransactionCount', ALICE.address, 'latest'));

  it('executes signed transactions in one block, and sends none', async () => {
    const nonce = await nonceOfAlice();
    const txs = [
      await signed(nonce, { to: COUNTER }),
      await signed(nonce + 1, { to: MAKER, value: 7n }),
      await signed(nonce + 2, { data: REVERTING }),
    ];
    const answer = await call<BundleAnswer>(on.rpc, 'eth_callBundle', {
      txs,
      blockNumber: '0x4',
      stateBlockNumber: 'latest',
      coinbase: MAKER,
      timestamp: 4_000_000_000,
    });
    const [counted, paid, failed] = answer.results;
    const hashes = txs.map((raw) => Transaction.from(raw).hash!);
    assert.equal(answer.bundleHash, keccak256(concat(hashes)));
    assert.equal(answer.stateBlockNumber, 3);
    assert.deepEqual(
      answer.results.map(({ txHash, fromAddress }) => [txHash, fromAddress]),
      hashes.map((hash) => [hash, ALICE.address]),
    );
    assert.deepEqual(
      [counted?.['toAddress'], counted?.['value'], counted?.['ethSentToCoinbase']],
      [Transaction.from(txs[0]).to, `0x${'2'.padStart(64, '0')}`, '0'],
    );
    const fee = 21_000n * TIP;
    assert.deepEqual(paid, {
      txHash: hashes[1],
      fromAddress: ALICE.address,
      toAddress: Transaction.from(txs[1]).to,
      gasUsed: 21_000,
      gasPrice: String((fee + 7n) / 21_000n),
      gasFees: String(fee),
      ethSentToCoinbase: '7',
      coinbaseDiff: String(fee + 7n),
      value: '0x',
    });
    assert.deepEqual(
      [failed?.['error'], failed?.['revert'], failed?.['toAddress'], failed?.['value']],
      ['execution reverted', undefined, '0x', undefined],
    );
    const gas = answer.results.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
    assert.equal(answer.totalGasUsed, gas);
    assert.equal(answer.gasFees, String(BigInt(gas) * TIP));
    assert.equal(answer.coinbaseDiff, String(BigInt(gas) * TIP + 7n));
    assert.equal(answer.ethSentToCoinbase, '7');
    assert.deepEqual(
      [await on.head(), await on.counter(), await nonceOfAlice()],
      [3, 1, nonce],
      'the fork is unchanged',
    );
  });

  it('refuses what no block could contain, and other parameters', async () => {
    const nonce = await nonceOfAlice();
    const tx = await signed(nonce, { to: COUNTER });
    const refused = async (fields: object): Promise<unknown> => {
      const { code, message } = await refusal(on.rpc, 'eth_callBundle', {
        txs: [tx],
        blockNumber: '0x4',
        ...fields,
      });
      return [code, message.replace(/0x[0-9a-fA-F]{40}/, 'alice')];
    };
    assert.deepEqual(await refused({ txs: [tx, tx] }), [
      -38010,
      `nonce too low: address alice, tx: ${nonce} state: ${nonce + 1}`,
    ]);
    assert.deepEqual(
      await Promise.all(
        [
          { txs: [] },
          { txs: ['0x12'] },
          { txs: Array.from({ length: 201 }, () => tx) },
          { blockNumber: undefined },
          { blockNumber: '0x3' },
          { timestamp: -1 },
          { stateBlockNumber: '0xffff' },
        ].map(
          async (fields) =>
            (
              await refusal(on.rpc, 'eth_callBundle', {
                txs: [tx],
                blockNumber: '0x4',
                ...fields,
              })
            ).code,
        ),
      ),
      [-32602, -32602, -32602, -32602, -32602, -32602, -32602],
    );
  });
});

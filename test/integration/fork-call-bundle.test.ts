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

  /** A creation of a contract that destroys itself at once, for an account. */
  const destroying = (beneficiary: string): string => `0x73${beneficiary.slice(2)}ff`;

  it('counts what a self-destruction sends to the maker of the block', async () => {
    const nonce = await nonceOfAlice();
    const other = `0x${'4b'.repeat(20)}`;
    const txs = [
      await signed(nonce, { data: destroying(MAKER), value: 9n }),
      await signed(nonce + 1, { data: destroying(other), value: 5n }),
      await signed(nonce + 2, { data: '0x30ff', value: 3n }), // for itself
      await signed(nonce + 3, { data: destroying(MAKER) }),
    ];
    const answer = await call<BundleAnswer>(on.rpc, 'eth_callBundle', {
      txs,
      blockNumber: '0x4',
      coinbase: MAKER,
    });
    assert.deepEqual(
      answer.results.map(({ ethSentToCoinbase, error }) => [ethSentToCoinbase, error]),
      [
        ['9', undefined],
        ['0', undefined],
        ['0', undefined],
        ['0', undefined],
      ],
    );
    assert.equal(answer.ethSentToCoinbase, '9');
    assert.equal(
      answer.coinbaseDiff,
      String(answer.results.reduce((sum, one) => sum + BigInt(String(one['gasFees'])), 9n)),
    );
    assert.equal(await call(on.rpc, 'eth_getBalance', MAKER, 'latest'), '0x0');
  });

  it('executes a blob transaction, whose blob fee the maker does not get', async () => {
    const nonce = await nonceOfAlice();
    const hash = `0x01${'aa'.repeat(31)}`;
    const blob = {
      type: 3,
      to: MAKER,
      value: 1n,
      blobVersionedHashes: [hash],
      maxFeePerBlobGas: TIP,
    };
    // Returns BLOBHASH(0).
    const reader = `0x${'5c'.repeat(20)}`;
    await call(on.rpc, 'anvil_setCode', reader, '0x5f495f5260205ff3');
    const txs = [await signed(nonce, blob), await signed(nonce + 1, { ...blob, to: reader })];
    const answer = await call<BundleAnswer>(on.rpc, 'eth_callBundle', {
      txs,
      blockNumber: '0x5',
      stateBlockNumber: 'latest',
      coinbase: MAKER,
    });
    const [paid, read] = answer.results;
    assert.deepEqual(
      [paid?.['gasUsed'], paid?.['gasFees'], paid?.['ethSentToCoinbase'], paid?.['txHash']],
      [21_000, String(21_000n * TIP), '1', Transaction.from(txs[0]).hash],
    );
    assert.equal(read?.['value'], hash);
    const { blobVersionedHashes, maxFeePerBlobGas } = blob;
    const unsent = { from: ALICE.address, to: reader, blobVersionedHashes };
    for (const fee of [{}, { maxFeePerBlobGas: `0x${maxFeePerBlobGas.toString(16)}` }]) {
      const [block] = await call<{ calls: { returnData: string }[] }[]>(on.rpc, 'eth_simulateV1', {
        blockStateCalls: [{ calls: [{ ...unsent, ...fee }] }],
      });
      assert.equal(block?.calls[0]?.returnData, hash);
    }
    const cheap = await signed(nonce, { ...blob, maxFeePerBlobGas: 0n });
    const { code, message } = await refusal(on.rpc, 'eth_callBundle', {
      txs: [cheap],
      blockNumber: '0x5',
    });
    assert.match(message, /blob/i);
    assert.ok(code < 0);
  });

  it('goes on after a member that fails, with its nonce and its fee', async () => {
    const nonce = await nonceOfAlice();
    // Error(string) "no"
    const reason = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`;
    const refuser = `0x${'6d'.repeat(20)}`;
    const code = `0x${[...reason.slice(2).matchAll(/.{1,64}/g)]
      .map(
        ([word], index) =>
          `7f${word.padEnd(64, '0')}60${(index * 32).toString(16).padStart(2, '0')}52`,
      )
      .join('')}60645ffd`;
    await call(on.rpc, 'anvil_setCode', refuser, code);
    const txs = [
      await signed(nonce, { to: refuser }),
      await signed(nonce + 1, { data: '0xfe' }),
      await signed(nonce + 2, { to: COUNTER }),
    ];
    const { results, gasFees } = await call<BundleAnswer>(on.rpc, 'eth_callBundle', {
      txs,
      blockNumber: '0x6',
      stateBlockNumber: 'latest',
    });
    assert.deepEqual(
      results.map(({ error, revert, value }) => [error, revert, value]),
      [
        ['execution reverted', 'no', undefined],
        ['vm execution error: all gas was used', undefined, undefined],
        [undefined, undefined, `0x${'2'.padStart(64, '0')}`],
      ],
    );
    assert.equal(results[1]?.['gasUsed'], 100_000);
    assert.equal(
      gasFees,
      String(results.reduce((sum, { gasUsed }) => sum + BigInt(Number(gasUsed)) * TIP, 0n)),
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

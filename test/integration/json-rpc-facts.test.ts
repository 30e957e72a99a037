import assert from 'node:assert/strict';
import { decodeRlp, encodeRlp, keccak256 } from 'ethers';
import { orderedTrieRoot } from '../../server/evm/forms/ordered-trie';
import type { Hex } from '../../server/api/primitives';
import { call, refusal } from '../support/json-rpc';
import { createJsonRpcFixture, type JsonRpcFixture } from '../support/json-rpc-standard/fixture';
import { UpstreamProxy } from '../support/upstream-proxy';
import { PROJECT, TestForks } from './fork-service';
import {
  ALICE,
  BOB,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  timeOf,
  type TestEngines,
} from './fork-upstream';

interface Block {
  number: string;
  hash: string;
  timestamp: string;
  baseFeePerGas: string;
  transactionsRoot: string;
  gasUsed: string;
  transactions: { hash: string; blockTimestamp: string; nonce: string }[];
}

interface SimulatedBlock extends Omit<Block, 'transactions'> {
  parentHash: string;
  transactions: string[];
  calls: { status: string; returnData: string; gasUsed: string; error?: { code: number } }[];
}

/** Returns the hash of the previous block. */
const PARENT_HASH = '0x60014303405f5260205ff3';
const READER = `0x${'ba'.repeat(20)}`;
/** Halts. */
const INVALID = { code: '0xfe' };

describe('a fork as a JSON-RPC node', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;
  let place: JsonRpcFixture;
  let inside: string;

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.mine();
    const originals = [
      await chain.send(ALICE, { to: COUNTER, type: 0 }),
      await chain.send(BOB, { to: COUNTER, type: 2 }),
    ];
    await chain.mine();
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    proxy.fault = (calls) =>
      calls.some(({ method }) => method === 'eth_simulateV1')
        ? { error: { code: -32601, message: 'the method does not exist' } }
        : undefined;
    service = await TestForks.open(engines, ethChain(proxy.url));
    place = await createJsonRpcFixture((await service.create({ height: '0x3' })).rpc, originals);
    inside = (await service.create({ height: '0x2', position: 1 })).rpc;
  });
  after(async () => {
    await service.forks.deleteAllOf(PROJECT);
    await service.close();
    await proxy.close();
    await engines.close();
  });

  const ask = <T = string>(method: string, ...params: unknown[]) =>
    call<T>(place.url, method, ...params);
  const simulate = (...blockStateCalls: object[]) =>
    ask<SimulatedBlock[]>('eth_simulateV1', { blockStateCalls }, 'latest');

  it('encodes headers, blocks and transactions so that they match their hashes', async () => {
    for (let number = 0; number <= place.head; number++) {
      const name = `0x${number.toString(16)}`;
      const block = await ask<Block>('eth_getBlockByNumber', name, true);
      const header = await ask<Hex>('debug_getRawHeader', name);
      assert.equal(keccak256(header), block.hash);
      const raw = decodeRlp(await ask('debug_getRawBlock', name)) as [string[], Hex[], unknown[]];
      assert.equal(encodeRlp(raw[0]), header);
      const transactions = raw[1].map((one) => (Array.isArray(one) ? encodeRlp(one) : one));
      assert.equal(orderedTrieRoot(transactions as Hex[]), block.transactionsRoot);
      assert.equal(transactions.length, block.transactions.length);
    }
    for (const hash of [...place.originals, ...place.own.slice(1)]) {
      assert.equal(keccak256(await ask('debug_getRawTransaction', hash)), hash);
    }
    const unsigned = await refusal(place.url, 'debug_getRawTransaction', place.own[0]);
    assert.equal(unsigned.code, -32004);
  });

  it('reports when transactions were mined, on both sides of the fork point and inside a block', async () => {
    const time = async (url: string, hash: string | undefined) =>
      Number(
        (await call<Block['transactions'][0]>(url, 'eth_getTransactionByHash', hash))
          .blockTimestamp,
      );
    assert.equal(await time(place.url, place.originals[1]), timeOf(2));
    assert.equal(await time(inside, place.originals[0]), timeOf(2));
    const head = await ask<Block>('eth_getBlockByNumber', 'latest', true);
    assert.equal(head.transactions[0]!.blockTimestamp, head.timestamp);
    assert.equal(await time(place.url, place.own.at(-1)), Number(head.timestamp));
  });

  it('simulates blocks that follow the head and each other', async () => {
    const head = await ask<Block>('eth_getBlockByNumber', 'latest', false);
    const reads = { from: ALICE.address, to: READER };
    const [one, two] = await simulate(
      { stateOverrides: { [READER]: { code: PARENT_HASH } }, calls: [reads] },
      { calls: [reads, reads] },
    );
    assert.ok(one && two);
    assert.deepEqual(
      [one, two].map(({ number, timestamp }) => [Number(number), Number(timestamp)]),
      [1, 2].map((n) => [Number(head.number) + n, Number(head.timestamp) + 12 * n]),
    );
    assert.deepEqual([one.parentHash, two.parentHash], [head.hash, one.hash]);
    assert.equal(one.calls[0]!.returnData, head.hash);
    assert.deepEqual(
      two.calls.map(({ returnData }) => returnData),
      [one.hash, one.hash],
    );
    assert.equal(one.baseFeePerGas, '0x0');
    const used = two.calls.map(({ gasUsed }) => Number(gasUsed));
    assert.equal(Number(two.gasUsed), used[0]! + used[1]!);
  });

  it('distinguishes reverts from halts', async () => {
    const [block] = await simulate({
      stateOverrides: { [READER]: INVALID },
      calls: [
        { from: ALICE.address, to: COUNTER, data: '0xff' },
        { from: ALICE.address, to: READER, gas: '0x186a0' },
      ],
    });
    assert.deepEqual(
      block!.calls.map(({ status, error }) => [status, error?.code]),
      [
        ['0x0', 3],
        ['0x0', -32015],
      ],
    );
  });

  it('continues to simulate after a rejection, and rejects what the engine would simulate wrongly', async () => {
    const refused = async (block: object, name = 'latest') =>
      (await refusal(place.url, 'eth_simulateV1', { blockStateCalls: [block] }, name)).code;
    // The engine passes the request on to the chain's node, which lacks the method. Without the fix, all later ones counted as unsupported.
    assert.equal(await refused({}, '0x1'), -32004);
    // Without the fault, the engine answers, but not with a complete block.
    proxy.fault = undefined;
    assert.equal(await refused({}, '0x1'), -32004);
    assert.equal(await refused({ blockOverrides: { blobBaseFee: '0x1' } }), -32004);
    const moved = { movePrecompileToAddress: READER };
    assert.equal(await refused({ stateOverrides: { [`0x${'0'.repeat(39)}1`]: moved } }), -32004);
    assert.equal(await refused({ stateOverrides: { [READER]: moved } }), -32000);
    assert.equal((await simulate({})).length, 1);
  });

  it('reads null in a simulated call as a missing field, and names a wrong sender', async () => {
    const nothing = { nonce: null, gasPrice: null, accessList: null, authorizationList: null };
    const [block] = await simulate({
      stateOverrides: { [READER]: { nonce: null, balance: '0x1' } },
      calls: [{ from: ALICE.address, to: READER, input: null, ...nothing }],
    });
    assert.equal(block!.calls[0]!.status, '0x1');
    for (const from of [true, 7, '0x', {}, `0x${'zz'.repeat(20)}`]) {
      const block = { calls: [{ from, to: READER }] };
      const blockStateCalls = [{ stateOverrides: {} }, block];
      const { code, message } = await refusal(place.url, 'eth_simulateV1', { blockStateCalls });
      assert.equal(code, -32602);
      assert.equal(
        message,
        `from is ${JSON.stringify(from)}; accepted: an address: 0x and 40 hex digits`,
      );
    }
    const overrides = { stateOverrides: { [READER]: { nonce: 'x' } }, calls: [{ to: READER }] };
    const wrong = await refusal(place.url, 'eth_simulateV1', { blockStateCalls: [overrides] });
    assert.equal(wrong.code, -32602);
  });

  it('fills a transaction so that it can be signed and sent', async () => {
    const request = { from: ALICE.address, to: COUNTER, data: '0x' };
    const { tx } = await ask<{ tx: Record<string, string> }>('eth_fillTransaction', request);
    assert.ok(tx['gas'] && tx['nonce'] && tx['maxFeePerGas'] && tx['maxPriorityFeePerGas']);
    const hash = await ask(
      'eth_sendRawTransaction',
      await ALICE.signTransaction({
        type: Number(tx['type']),
        chainId: Number(tx['chainId']),
        nonce: Number(tx['nonce']),
        gasLimit: tx['gas'],
        maxFeePerGas: tx['maxFeePerGas'],
        maxPriorityFeePerGas: tx['maxPriorityFeePerGas'],
        to: COUNTER,
      }),
    );
    const receipt = await ask<{ status: string }>('eth_getTransactionReceipt', hash);
    assert.equal(receipt.status, '0x1');
  });
});

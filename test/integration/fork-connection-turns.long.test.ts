import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { call, post } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';

const LOOP = `0x${'c1'.repeat(20)}`;
/** `for {} 1 {} {}`: it uses all gas. */
const LOOP_CODE = '0x5b600056';
const GAS = '0x4c4b40';
const CALLS = 600;
const ROUNDS = 3;
const SENDER = `0x${'a1'.repeat(20)}`;

describe('clients of one fork', () => {
  let service: TestService;
  let fork: Fork;

  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    fork = await createFork(service, { chainId: 31337 });
    await call(fork.rpc, 'anvil_setCode', LOOP, LOOP_CODE);
    await call(fork.rpc, 'anvil_setBalance', SENDER, '0x56bc75e2d63100000');
  });
  after(() => service.stop());

  /** Long calls of one client, in a batch. */
  async function longBatch(message: (id: number) => object): Promise<number> {
    const batch = Array.from({ length: CALLS }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      ...message(id),
    }));
    const answers = await post(fork.rpc, JSON.stringify(batch));
    return (answers as { error?: unknown }[]).filter(({ error }) => error !== undefined).length;
  }

  /** What another client asks, one after the other, as long as the batch is under way. */
  async function answersDuring(batch: Promise<unknown>): Promise<number> {
    const batchEnd = new AbortController();
    void batch.finally(() => {
      batchEnd.abort();
    });
    const isOver = (): boolean => batchEnd.signal.aborted;
    let rounds = 0;
    while (rounds < ROUNDS && !isOver()) {
      await call(fork.rpc, 'eth_getBalance', SENDER, 'latest');
      const hash = await call(fork.rpc, 'eth_sendTransaction', { from: SENDER, to: SENDER });
      const receipt = await call<{ status: string }>(fork.rpc, 'eth_getTransactionReceipt', hash);
      assert.equal(receipt.status, '0x1');
      if (!isOver()) rounds++;
    }
    return rounds;
  }

  it('read and send while another one has a batch of long calls under way', async () => {
    const batch = longBatch((id) => ({
      method: 'eth_call',
      params: [{ to: LOOP, gas: GAS, data: `0x${id.toString(16).padStart(64, '0')}` }, 'latest'],
    }));
    assert.equal(await answersDuring(batch), ROUNDS);
    assert.equal(await batch, CALLS, 'each ran out of gas');
  });

  it('read and send while another one has a batch of traces under way', async () => {
    const hash = await call(fork.rpc, 'eth_sendTransaction', { from: SENDER, to: LOOP, gas: GAS });
    const batch = longBatch(() => ({
      method: 'debug_traceTransaction',
      params: [hash, { tracer: 'callTracer' }],
    }));
    assert.equal(await answersDuring(batch), ROUNDS);
    assert.equal(await batch, 0);
  });
});

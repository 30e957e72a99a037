import assert from 'node:assert/strict';
import { Agent, request, type Dispatcher } from 'undici';
import { refusal, reply, type RpcReply } from '../support/json-rpc';
import { PROJECT } from './fork-service';
import { useFork } from './fork-suite';
import { ALICE, COUNTER } from './fork-upstream';

describe("limits of a fork's JSON-RPC address", () => {
  const on = useFork();
  let client: Agent;
  let connections: number;

  beforeEach(() => {
    connections = 0;
    client = new Agent({ connections: 1 }).on('connect', () => connections++);
  });
  afterEach(() => client.close());

  const post = async (
    body: string,
  ): Promise<{ answer: RpcReply | RpcReply[]; response: Dispatcher.ResponseData }> => {
    const response = await request(on.rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      dispatcher: client,
    });
    return { answer: (await response.body.json()) as RpcReply | RpcReply[], response };
  };
  const block = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}';

  it('rejects a body of 50 MB, and keeps the connection', async () => {
    const large = await post(`{"jsonrpc":"2.0","id":1,"method":"${' '.repeat(50_000_000)}"}`);
    assert.equal(large.response.statusCode, 413);
    assert.deepEqual(large.answer, {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, message: 'the body is longer than 1000000 bytes' },
    });
    const next = await post(block);
    assert.equal((next.answer as RpcReply).result, '0x3');
    assert.equal(connections, 1);
  });

  it('rejects a batch of 10,000 requests, and accepts 1,000', async () => {
    const many = await post(`[${Array.from({ length: 10_000 }, () => '{}').join()}]`);
    assert.equal(many.response.statusCode, 200);
    assert.deepEqual((many.answer as RpcReply).error, {
      code: -32600,
      message: 'the batch has 10000 requests; accepted: 1 to 1000',
    });
    const some = await post(`[${Array.from({ length: 1_000 }, () => block).join()}]`);
    const results = (some.answer as RpcReply[]).map(({ result }) => result);
    assert.deepEqual([...new Set(results)], ['0x3']);
    assert.equal(results.length, 1_000);
    assert.equal(connections, 1);
  });

  it('names an invalid parameter, its value and the accepted values', async () => {
    for (const [method, params, message] of [
      ['evm_mine', ['soon'], 'timestamp is "soon"; accepted: a whole number from 0 to 2^53 - 1'],
      ['anvil_mine', ['0xffffff'], 'blocks is 16777215; accepted: up to 10000 in one call'],
      [
        'eth_sendRawTransaction',
        ['0x02'],
        'the transaction is "0x02"; accepted: a signed transaction as hex',
      ],
      ['eth_sendTransaction', [], 'the transaction is missing; accepted: an object'],
      [
        'eth_sendTransactions',
        ['0x'],
        'the parameter of eth_sendTransactions is "0x"; accepted: an array of transactions',
      ],
    ] as [string, unknown[], string][]) {
      assert.deepEqual(await refusal(on.rpc, method, ...params), { code: -32602, message });
    }
  });

  it('executes simultaneous requests in order, each with its receipt at once', async () => {
    const hashes = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const sent = await reply(on.rpc, 'eth_sendTransaction', {
          from: ALICE.address,
          to: COUNTER,
        });
        const { result } = await reply(on.rpc, 'eth_getTransactionReceipt', sent.result);
        return (result as { blockNumber: string }).blockNumber;
      }),
    );
    assert.deepEqual(
      hashes.map(Number).sort((a, b) => a - b),
      Array.from({ length: 20 }, (_, i) => i + 4),
    );
    assert.equal(await on.counter(), 21);
  });

  it('reports a fork that is deleted during a request', async () => {
    // JUMPDEST PUSH0 JUMP: runs until the gas is used up, which takes some time.
    const loop = { data: '0x5b5f56', gas: '0xee6b280' };
    const asked = [
      reply(on.rpc, 'eth_call', loop, 'latest'),
      reply(on.rpc, 'eth_sendTransaction', { ...loop, from: ALICE.address, gas: '0x1c9c380' }),
      reply(on.rpc, 'eth_blockNumber'),
    ];
    await asked[2];
    await on.service.forks.delete(PROJECT, on.fork.forkId);
    for (const { error, result } of await Promise.all(asked.slice(0, 2))) {
      // Requests that finished in time have an answer.
      if (error === undefined) assert.ok(result);
      else {
        assert.equal(error.code, -32001);
        assert.match(error.message, /^fork "fork_[0-9a-f]{32}" does not exist$/);
      }
    }
    const late = await fetch(on.rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: block,
    });
    assert.equal(late.status, 404);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually';
import { call, post, refusal, reply, type RpcReply } from '../support/json-rpc';
import { PROJECT } from './fork-service';
import { useFork } from './fork-suite';
import { ALICE, COUNTER } from './fork-upstream';

const STRANGER = `0x${'99'.repeat(20)}`;

describe("a fork's JSON-RPC address", () => {
  const on = useFork();

  it('preserves revert data of calls', async () => {
    const error = await refusal(on.rpc, 'eth_call', { to: COUNTER, data: '0xff' }, 'latest');
    assert.equal(error.code, 3);
    assert.equal(error.data, '0xdeadbeef');
    const [batched] = (await post(
      on.rpc,
      JSON.stringify([
        {
          jsonrpc: '2.0',
          id: 7,
          method: 'eth_call',
          params: [{ to: COUNTER, data: '0xff' }, 'latest'],
        },
      ]),
    )) as RpcReply[];
    assert.deepEqual([batched?.error?.code, batched?.error?.data], [3, '0xdeadbeef']);
  });

  it("answers calls that halt with go-ethereum's errors, alone and in batches", async () => {
    const halts = [
      { code: -32000, message: 'invalid opcode: INVALID' },
      { code: -32000, message: 'stack underflow' },
      { code: -32000, message: 'out of gas' },
    ];
    // INVALID; ADD on an empty stack; a loop
    const params = ['0xfe', '0x01', '0x5b600056'].map((data) => [
      { data, gas: '0x186a0' },
      'latest',
    ]);
    const answers = await Promise.all(params.map((one) => refusal(on.rpc, 'eth_call', ...one)));
    assert.deepEqual(answers, halts);
    const batch = params.map((one, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_call',
      params: one,
    }));
    assert.deepEqual(
      await post(on.rpc, JSON.stringify(batch)),
      halts.map((error, id) => ({ jsonrpc: '2.0', id, error })),
    );
    assert.deepEqual(await refusal(on.rpc, 'eth_estimateGas', { data: '0xfe' }), halts[0]);
  });

  it('rejects methods that reach outside the fork, and unknown methods', async () => {
    const refused: [string, ...unknown[]][] = [
      ['anvil_reset', { forking: { jsonRpcUrl: 'http://127.0.0.1:1' } }],
      ['anvil_setRpcUrl', 'http://127.0.0.1:1'],
      ['anvil_setChainId', 5],
      ['eth_subscribe', 'newHeads'],
    ];
    for (const [method, ...params] of refused) {
      assert.equal((await refusal(on.rpc, method, ...params)).code, -32004, method);
    }
    for (const method of [
      'anvil_nothing',
      'debug_setHead',
      'admin_addPeer',
      'toString',
      '__proto__',
    ]) {
      assert.equal((await refusal(on.rpc, method)).code, -32601, method);
    }
    const script = '{step: function() {}, fault: function() {}, result: function() { return 1 }}';
    const hash = await on.increment();
    for (const [method, target, ...rest] of [
      ['debug_traceTransaction', hash],
      ['debug_traceCall', { to: COUNTER }, 'latest'],
    ] as [string, unknown][]) {
      const error = await refusal(on.rpc, method, target, ...rest, { tracer: script });
      assert.match(error.message, /^tracer is .*; accepted: callTracer, /);
    }
    const trace = await call<{ type: string }>(on.rpc, 'debug_traceTransaction', hash, {
      tracer: 'callTracer',
    });
    assert.equal(trace.type, 'CALL');
  });

  it('traces transactions of the forked chain with the requested tracer', async () => {
    const tracer = async (name: string) =>
      Object.keys(
        await call<object>(on.rpc, 'debug_traceTransaction', on.original, { tracer: name }),
      );
    assert.ok(
      (await tracer('callTracer')).includes('calls') ||
        (await tracer('callTracer')).includes('gasUsed'),
    );
    assert.ok((await tracer('prestateTracer')).includes(COUNTER));
  });

  it('limits the gas of calls', async () => {
    // JUMPDEST PUSH0 JUMP: runs until the gas is used up.
    const loop = { data: '0x5b5f56', gas: '0xffffffffffffff' };
    for (const method of ['eth_call', 'eth_estimateGas']) {
      const { error } = await reply(on.rpc, method, loop, 'latest');
      assert.ok(error);
    }
    assert.match(
      (await refusal(on.rpc, 'anvil_setBlockGasLimit', '0xffffffffffff')).message,
      /up to 250000000/,
    );
  });

  it('answers batches in their order, with each change in its place', async () => {
    const requests = [
      ['eth_blockNumber'],
      ['anvil_setBalance', STRANGER, '0x5'],
      ['eth_getBalance', STRANGER, 'latest'],
      ['eth_nothing'],
      ['eth_sendTransaction', { from: ALICE.address, to: COUNTER }],
      ['eth_blockNumber'],
    ].map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const answers = (await post(
      on.rpc,
      JSON.stringify([...requests, { jsonrpc: '2.0', method: 'evm_mine', params: [] }]),
    )) as (RpcReply & { id: number })[];
    assert.deepEqual(
      answers.map(({ id }) => id),
      [0, 1, 2, 3, 4, 5],
    );
    assert.equal(answers[0]?.result, '0x3');
    assert.equal(answers[2]?.result, '0x5');
    assert.equal(answers[3]?.error?.code, -32601);
    assert.equal(answers[5]?.result, '0x4');
    assert.equal(await on.head(), 5);
    assert.equal(((await post(on.rpc, '[]')) as RpcReply).error?.code, -32600);
    const long = `[${Array.from({ length: 1001 }, () => '{}').join()}]`;
    assert.equal(((await post(on.rpc, long)) as RpcReply).error?.code, -32600);
  });

  it('answers with the ids of the requests, byte for byte', async () => {
    const headers = { 'content-type': 'application/json' };
    const big = '9007199254740993';
    const request = (method: string, params = '[]'): string =>
      `{"jsonrpc":"2.0","id":${big},"method":"${method}","params":${params}}`;
    const sends = [
      request('eth_chainId'),
      request('eth_getCode', `["${STRANGER}","latest"]`),
      request('eth_getStorageAt', `["${COUNTER}","0x7","latest"]`),
      request('evm_mine'),
      request('eth_nothing'),
      request('eth_call', '{}'),
    ];
    const http = async (body: string): Promise<string> =>
      (await fetch(on.rpc, { method: 'POST', headers, body })).text();
    const socket = new WebSocket(on.rpc.replace('http', 'ws'));
    await once(socket, 'open');
    for (const body of [...sends, request('eth_subscribe', '["newHeads"]')]) {
      if (!body.includes('subscribe')) {
        assert.ok((await http(body)).startsWith(`{"jsonrpc":"2.0","id":${big},`), body);
      }
      const answer = once(socket, 'message') as Promise<[Buffer]>;
      socket.send(body);
      const [text] = await answer;
      assert.ok(String(text).startsWith(`{"jsonrpc":"2.0","id":${big},`), body);
    }
    socket.terminate();
    const batch = await http(`[${sends.join()}]`);
    assert.equal(batch.split(`"id":${big},`).length, sends.length + 1);
  });

  it('takes null for no parameters, and knows no capabilities of a wallet', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: null };
    const answer = { jsonrpc: '2.0', id: 1, result: '0x3' };
    assert.deepEqual(await post(on.rpc, JSON.stringify(body)), answer);
    assert.deepEqual(await call(on.rpc, 'wallet_getCapabilities', ALICE.address), {});
  });

  it('answers invalid JSON-RPC with JSON-RPC', async () => {
    const codeOf = async (body: string) => ((await post(on.rpc, body)) as RpcReply).error?.code;
    assert.equal(await codeOf('{'), -32700);
    assert.equal(await codeOf('5'), -32600);
    assert.equal(await codeOf('{"id":1,"params":[]}'), -32600);
    assert.equal(await codeOf('{"id":1,"method":"eth_chainId","params":{}}'), -32600);
    const get = await fetch(on.rpc);
    assert.equal(get.status, 405);
    const large = await fetch(on.rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ' '.repeat(1_000_001),
    });
    assert.equal(large.status, 413);
    assert.equal(((await large.json()) as RpcReply).error?.code, -32005);
  });

  it('accepts browsers from any origin', async () => {
    const preflight = await fetch(on.rpc, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/);
    const answered = await fetch(on.rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    });
    assert.equal(answered.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(await answered.json(), { jsonrpc: '2.0', id: 1, result: '0x1' });
  });

  it('serves WebSocket with the same rules, and subscriptions', async () => {
    const socket = new WebSocket(on.rpc.replace('http', 'ws'));
    const messages: {
      id?: number;
      result?: unknown;
      error?: { code: number };
      method?: string;
      params?: { subscription: string; result: { number: string } };
    }[] = [];
    socket.on('message', (data: Buffer) => {
      messages.push(JSON.parse(data.toString()) as (typeof messages)[number]);
    });
    const until = (count: number) =>
      eventually(() => {
        assert.ok(messages.length >= count);
      });
    const ask = (id: number, method: string, ...params: unknown[]) => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    };
    await once(socket, 'open');
    ask(1, 'eth_chainId');
    await until(1);
    assert.equal(messages[0]?.result, '0x1');
    ask(2, 'anvil_setRpcUrl');
    await until(2);
    assert.equal(messages[1]?.error?.code, -32004);
    ask(3, 'eth_subscribe', 'newHeads');
    await until(3);
    const subscription = messages[2]?.result as string;
    assert.equal(messages[2]?.id, 3);
    await on.increment();
    await until(4);
    assert.equal(messages[3]?.method, 'eth_subscription');
    assert.equal(messages[3].params?.subscription, subscription);
    assert.equal(Number(messages[3].params.result.number), 4);
    ask(4, 'eth_unsubscribe', subscription);
    await until(5);
    assert.deepEqual([messages[4]?.id, messages[4]?.result], [4, true]);
    const closed = once(socket, 'close');
    await on.service.forks.delete(PROJECT, on.fork.forkId);
    const [code] = (await closed) as [number];
    assert.equal(code, 1001);
  });

  it('rejects a WebSocket at an unknown address', async () => {
    const socket = new WebSocket(
      `${on.service.origin.replace('http', 'ws')}/rpc/${'0'.repeat(32)}`,
    );
    const [error] = (await once(socket, 'error')) as [Error];
    assert.match(error.message, /404/);
  });
});

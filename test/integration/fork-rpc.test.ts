import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Transaction, Wallet } from 'ethers';
import { WebSocket } from 'ws';
import type { Fork } from '../../server/api/fork';
import { ALICE, BOB, COUNTER, TestChain, testEngines, type TestEngines } from './fork-upstream';
import { call, post, PROJECT, refusal, reply, TestForks, type RpcReply } from './fork-service';

interface Receipt {
  status: string;
  blockNumber: string;
  transactionIndex: string;
  logs: unknown[];
}

const STRANGER = `0x${'99'.repeat(20)}`;
const ETHER = '0xde0b6b3a7640000';

describe("a fork's JSON-RPC address", () => {
  let engines: TestEngines;
  let upstream: TestChain;
  let service: TestForks;
  let fork: Fork;
  let rpc: string;
  let before12: string;

  before(async () => {
    engines = await testEngines();
    upstream = await TestChain.start(engines.start);
    await upstream.mine();
    before12 = await upstream.send(ALICE, { to: COUNTER });
    await upstream.mine();
    await upstream.mine();
    service = await TestForks.open(engines.start, engines.home, {
      slug: 'eth',
      chainId: 1,
      nativeSymbol: 'ETH',
      rpcUrls: [upstream.engine.url],
    });
  });
  after(async () => {
    await service.close();
    await engines.close();
  });
  beforeEach(async () => {
    fork = await service.create({ height: '0x3' });
    rpc = fork.rpc;
    service.counted.length = 0;
  });
  afterEach(() => service.forks.deleteAllOf(PROJECT));

  const counter = async () => Number(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest'));
  const increment = (from = ALICE.address) =>
    call(rpc, 'eth_sendTransaction', { from, to: COUNTER });
  const receiptOf = (hash: string) => call<Receipt>(rpc, 'eth_getTransactionReceipt', hash);
  const head = async () => Number(await call(rpc, 'eth_blockNumber'));

  it('executes unsigned transactions of any sender, one block each, with the receipt there at once', async () => {
    await call(rpc, 'anvil_setBalance', STRANGER, ETHER);
    const hash = await increment(STRANGER);
    const receipt = await receiptOf(hash);
    assert.equal(receipt.status, '0x1');
    assert.equal(receipt.logs.length, 1);
    assert.equal(await head(), 4);
    assert.equal(await counter(), 2);
    await increment();
    assert.equal(await head(), 5);
    assert.deepEqual(service.counted, [
      [PROJECT, 1],
      [PROJECT, 1],
    ]);
  });

  it('answers a sender without funds, and leaves no trace of it', async () => {
    const error = await refusal(rpc, 'eth_sendTransaction', {
      from: STRANGER,
      to: COUNTER,
      gas: '0x186a0',
    });
    assert.equal(error.code, -32003);
    assert.match(
      error.message,
      new RegExp(`^insufficient funds .* ${STRANGER} has 0 wei and needs \\d+`),
    );
    assert.equal(await head(), 3);
    assert.deepEqual(await call(rpc, 'txpool_status'), { pending: '0x0', queued: '0x0' });
    assert.deepEqual(service.counted, []);
  });

  it('counts reverted transactions, but no calls, estimates or replays', async () => {
    const reverted = await call(rpc, 'eth_sendTransaction', {
      from: ALICE.address,
      to: COUNTER,
      data: '0xff',
      gas: '0x186a0',
    });
    assert.equal((await receiptOf(reverted)).status, '0x0');
    await call(rpc, 'eth_call', { to: COUNTER }, 'latest');
    await call(rpc, 'eth_estimateGas', { to: COUNTER });
    await call(rpc, 'evm_mine');
    assert.deepEqual(service.counted, [[PROJECT, 1]]);
  });

  it('keeps revert data of calls', async () => {
    const error = await refusal(rpc, 'eth_call', { to: COUNTER, data: '0xff' }, 'latest');
    assert.equal(error.code, 3);
    assert.equal(error.data, '0xdeadbeef');
    const [batched] = (await post(
      rpc,
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

  it('takes signed transactions of the chain id, and of none but it', async () => {
    const fields = { to: COUNTER, nonce: 1, gasLimit: 100_000, gasPrice: 10n ** 10n, type: 0 };
    const wrong = await refusal(
      rpc,
      'eth_sendRawTransaction',
      await ALICE.signTransaction({ ...fields, chainId: 5 }),
    );
    assert.match(wrong.message, /signed for chain 5, this fork is chain 1/);
    const raw = await ALICE.signTransaction({ ...fields, chainId: 0 });
    assert.equal(await call(rpc, 'eth_sendRawTransaction', raw), Transaction.from(raw).hash);
    assert.equal((await refusal(rpc, 'eth_sendRawTransaction', '0x1234')).code, -32602);
    assert.match(
      (await refusal(rpc, 'eth_sendTransaction', { from: ALICE.address, chainId: '0x5' })).message,
      /chainId is 5/,
    );
  });

  it('executes bundles in one block, in order', async () => {
    const from = ALICE.address;
    const bundle = [
      { from, to: COUNTER },
      { from: BOB.address, to: COUNTER, data: '0xff', gas: '0x186a0' },
      { from, to: COUNTER },
    ];
    const hashes = await call<string[]>(rpc, 'eth_sendTransactions', bundle);
    const receipts = await Promise.all(hashes.map(receiptOf));
    assert.deepEqual(
      receipts.map(({ blockNumber }) => Number(blockNumber)),
      [4, 4, 4],
    );
    assert.deepEqual(
      receipts.map(({ transactionIndex }) => Number(transactionIndex)),
      [0, 1, 2],
    );
    assert.deepEqual(
      receipts.map(({ status }) => status),
      ['0x1', '0x0', '0x1'],
    );
    assert.deepEqual(service.counted, [[PROJECT, 3]]);
    const raws = await Promise.all(
      [3, 4].map((nonce) =>
        ALICE.signTransaction({
          to: COUNTER,
          nonce,
          gasLimit: 100_000,
          gasPrice: 10n ** 10n,
          type: 0,
          chainId: 1,
        }),
      ),
    );
    assert.deepEqual(
      await call(rpc, 'eth_sendRawTransactions', raws),
      raws.map((raw) => Transaction.from(raw).hash),
    );
    assert.equal(await head(), 5);
    assert.equal(await counter(), 5);
  });

  it('takes a bundle as a whole or not at all', async () => {
    const from = ALICE.address;
    const error = await refusal(rpc, 'eth_sendTransactions', [
      { from, to: COUNTER },
      { from, to: COUNTER, gas: '0xffffffffff' },
    ]);
    assert.match(error.message, /^transaction 1 of the bundle cannot be executed/);
    const malformed = await refusal(rpc, 'eth_sendTransactions', [
      { from, to: COUNTER },
      { from, to: '0x12' },
    ]);
    assert.match(malformed.message, /^transaction 1 of the bundle: /);
    assert.deepEqual(await call(rpc, 'txpool_status'), { pending: '0x0', queued: '0x0' });
    assert.equal(await head(), 3);
    assert.equal((await refusal(rpc, 'eth_sendTransactions', [])).code, -32602);
    assert.equal((await refusal(rpc, 'eth_sendTransactions', { from })).code, -32602);
  });

  it('returns to the default snapshot any number of times', async () => {
    for (let round = 0; round < 3; round++) {
      await increment();
      assert.equal(await counter(), 2);
      assert.equal(await call(rpc, 'evm_revert', fork.snapshotId), true);
      assert.equal(await counter(), 1);
      assert.equal(await head(), 3);
    }
    await call(rpc, 'evm_mine');
    assert.equal(await head(), 4);
  });

  it('gives snapshot ids once, and consumes them as anvil does', async () => {
    const first = await call(rpc, 'evm_snapshot');
    await increment();
    const second = await call(rpc, 'anvil_snapshot');
    await increment();
    assert.deepEqual([first, second], ['0x0', '0x1']);
    assert.equal(await call(rpc, 'evm_revert', second), true);
    assert.equal(await counter(), 2);
    assert.equal(await call(rpc, 'evm_revert', second), false);
    assert.equal(await call(rpc, 'hardhat_snapshot').catch(String), '0x2');
    assert.equal(await call(rpc, 'evm_revert', first), true);
    assert.equal(await counter(), 1);
    assert.equal(await call(rpc, 'evm_revert', '0x2'), false);
    assert.equal(await call(rpc, 'evm_revert', '0x77'), false);
    assert.equal(await call(rpc, 'evm_snapshot'), '0x3');
  });

  it('a revert takes back what the next block would have been', async () => {
    const next = () => call<Record<string, string>>(rpc, 'eth_getBlockByNumber', 'pending', false);
    const id = await call(rpc, 'evm_snapshot');
    const original = await next();
    await call(rpc, 'anvil_setCoinbase', STRANGER);
    await call(rpc, 'anvil_setNextBlockBaseFeePerGas', '0x77359400');
    await call(rpc, 'evm_setAutomine', false);
    await increment();
    await call(rpc, 'evm_setAutomine', true);
    await call(rpc, 'anvil_mine', '0x5');
    await call(rpc, 'evm_revert', id);
    const again = await next();
    for (const field of ['number', 'miner', 'baseFeePerGas', 'gasLimit'])
      assert.equal(again[field], original[field], field);
    assert.deepEqual(again['transactions'], []);
  });

  it('mines on demand while automine is off', async () => {
    assert.equal(await call(rpc, 'anvil_getAutomine'), true);
    assert.equal(await call(rpc, 'evm_setAutomine', false), null);
    assert.equal(await call(rpc, 'anvil_getAutomine'), false);
    const hash = await increment();
    assert.equal(await receiptOf(hash), null);
    assert.deepEqual(service.counted, []);
    assert.equal(await call(rpc, 'evm_mine'), '0x0');
    assert.equal((await receiptOf(hash)).status, '0x1');
    assert.deepEqual(service.counted, [[PROJECT, 1]]);
  });

  it('lets users move time, and every block is later than the one before', async () => {
    const time = async () =>
      Number(
        (await call<{ timestamp: string }>(rpc, 'eth_getBlockByNumber', 'latest', false)).timestamp,
      );
    const start = await time();
    await call(rpc, 'evm_mine');
    await call(rpc, 'evm_mine');
    assert.ok((await time()) >= start + 2);
    await call(rpc, 'evm_increaseTime', 3600);
    await call(rpc, 'evm_mine');
    assert.ok((await time()) >= start + 3602);
    await call(rpc, 'evm_setNextBlockTimestamp', start + 10_000);
    await call(rpc, 'evm_mine');
    assert.equal(await time(), start + 10_000);
    await call(rpc, 'evm_mine', { timestamp: start + 20_000, blocks: 2 });
    assert.equal(await time(), start + 20_001);
    const block = await head();
    assert.equal(await call(rpc, 'hardhat_mine', '0x64', '0xc'), null);
    assert.equal(await head(), block + 100);
    assert.equal((await refusal(rpc, 'anvil_mine', 1e9)).code, -32602);
    assert.match((await refusal(rpc, 'evm_setNextBlockTimestamp', 5)).message, /lower than/);
  });

  it('knows state methods by every name that users have for them', async () => {
    const balance = () => call(rpc, 'eth_getBalance', STRANGER, 'latest');
    for (const [i, method] of [
      'anvil_setBalance',
      'hardhat_setBalance',
      'evm_setBalance',
      'evm_setAccountBalance',
    ].entries()) {
      assert.equal(await call(rpc, method, STRANGER, `0x${i + 1}`), null);
      assert.equal(await balance(), `0x${i + 1}`, method);
    }
    await call(rpc, 'tenderly_setBalance', [STRANGER, COUNTER], '0x64');
    await call(rpc, 'tenderly_addBalance', [STRANGER], '0x1');
    assert.equal(await balance(), '0x65');
    assert.equal(await call(rpc, 'eth_getBalance', COUNTER, 'latest'), '0x64');
    await call(rpc, 'tenderly_setStorageAt', COUNTER, '0x0', '0x2a');
    assert.equal(await counter(), 42);
    await call(rpc, 'hardhat_setCode', STRANGER, '0x6001');
    assert.equal(await call(rpc, 'eth_getCode', STRANGER, 'latest'), '0x6001');
    await call(rpc, 'hardhat_setNonce', STRANGER, '0x7');
    assert.equal(await call(rpc, 'eth_getTransactionCount', STRANGER, 'latest'), '0x7');
    assert.equal(await call(rpc, 'hardhat_impersonateAccount', STRANGER), null);
  });

  it('refuses what reaches out of the fork, and all that it does not know', async () => {
    const refused: [string, ...unknown[]][] = [
      ['anvil_reset', { forking: { jsonRpcUrl: 'http://127.0.0.1:1' } }],
      ['hardhat_reset'],
      ['anvil_setRpcUrl', 'http://127.0.0.1:1'],
      ['anvil_dumpState'],
      ['anvil_loadState', '0x'],
      ['anvil_setLoggingEnabled', true],
      ['anvil_setChainId', 5],
      ['evm_setIntervalMining', 5],
      ['eth_subscribe', 'newHeads'],
    ];
    for (const [method, ...params] of refused) {
      assert.equal((await refusal(rpc, method, ...params)).code, -32004, method);
    }
    for (const method of [
      'anvil_nothing',
      'debug_setHead',
      'admin_addPeer',
      'toString',
      '__proto__',
    ]) {
      assert.equal((await refusal(rpc, method)).code, -32601, method);
    }
    const script = '{step: function() {}, fault: function() {}, result: function() { return 1 }}';
    const hash = await increment();
    for (const [method, target, ...rest] of [
      ['debug_traceTransaction', hash],
      ['debug_traceCall', { to: COUNTER }, 'latest'],
    ] as [string, unknown][]) {
      const error = await refusal(rpc, method, target, ...rest, { tracer: script });
      assert.match(error.message, /^the tracer must be one of callTracer/);
    }
    const trace = await call<{ type: string }>(rpc, 'debug_traceTransaction', hash, {
      tracer: 'callTracer',
    });
    assert.equal(trace.type, 'CALL');
  });

  it('traces transactions of the forked chain with the tracer that is asked for', async () => {
    const tracer = async (name: string) =>
      Object.keys(await call<object>(rpc, 'debug_traceTransaction', before12, { tracer: name }));
    assert.ok(
      (await tracer('callTracer')).includes('calls') ||
        (await tracer('callTracer')).includes('gasUsed'),
    );
    assert.ok((await tracer('prestateTracer')).includes(COUNTER));
  });

  it('bounds the gas of calls', async () => {
    // JUMPDEST PUSH0 JUMP: runs until the gas is used up.
    const loop = { data: '0x5b5f56', gas: '0xffffffffffffff' };
    for (const method of ['eth_call', 'eth_estimateGas']) {
      const { error } = await reply(rpc, method, loop, 'latest');
      assert.ok(error);
    }
    assert.match(
      (await refusal(rpc, 'anvil_setBlockGasLimit', '0xffffffffffff')).message,
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
      rpc,
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
    assert.equal(await head(), 5);
    assert.equal(((await post(rpc, '[]')) as RpcReply).error?.code, -32600);
    const long = `[${Array.from({ length: 1001 }, () => '{}').join()}]`;
    assert.equal(((await post(rpc, long)) as RpcReply).error?.code, -32600);
  });

  it('answers what is not JSON-RPC as JSON-RPC', async () => {
    const codeOf = async (body: string) => ((await post(rpc, body)) as RpcReply).error?.code;
    assert.equal(await codeOf('{'), -32700);
    assert.equal(await codeOf('5'), -32600);
    assert.equal(await codeOf('{"id":1,"params":[]}'), -32600);
    assert.equal(await codeOf('{"id":1,"method":"eth_chainId","params":{}}'), -32600);
    const get = await fetch(rpc);
    assert.equal(get.status, 405);
    const large = await fetch(rpc, { method: 'POST', body: ' '.repeat(100_001) });
    assert.equal(large.status, 413);
    assert.equal(((await large.json()) as RpcReply).error?.code, -32005);
  });

  it('lets browsers in from any origin', async () => {
    const preflight = await fetch(rpc, {
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
    const answered = await fetch(rpc, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    });
    assert.equal(answered.headers.get('access-control-allow-origin'), '*');
    assert.deepEqual(await answered.json(), { jsonrpc: '2.0', id: 1, result: '0x1' });
  });

  it('serves WebSocket with the same rules, and subscriptions', async () => {
    const socket = new WebSocket(rpc.replace('http', 'ws'));
    const messages: {
      id?: number;
      result?: unknown;
      error?: { code: number };
      method?: string;
      params?: { subscription: string; result: { number: string } };
    }[] = [];
    let arrived = (): void => undefined;
    socket.on('message', (data: Buffer) => {
      messages.push(JSON.parse(data.toString()) as (typeof messages)[number]);
      arrived();
    });
    const until = async (count: number) => {
      while (messages.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    };
    const ask = (id: number, method: string, ...params: unknown[]) => {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    };
    await once(socket, 'open');
    ask(1, 'eth_chainId');
    await until(1);
    assert.equal(messages[0]?.result, '0x1');
    ask(2, 'anvil_reset');
    await until(2);
    assert.equal(messages[1]?.error?.code, -32004);
    ask(3, 'eth_subscribe', 'newHeads');
    await until(3);
    const subscription = messages[2]?.result as string;
    assert.equal(messages[2]?.id, 3);
    await increment();
    await until(4);
    assert.equal(messages[3]?.method, 'eth_subscription');
    assert.equal(messages[3].params?.subscription, subscription);
    assert.equal(Number(messages[3].params.result.number), 4);
    ask(4, 'eth_unsubscribe', subscription);
    await until(5);
    assert.deepEqual([messages[4]?.id, messages[4]?.result], [4, true]);
    const closed = once(socket, 'close');
    await service.forks.delete(PROJECT, fork.forkId);
    const [code] = (await closed) as [number];
    assert.equal(code, 1012);
  });

  it('refuses a WebSocket at an unknown address', async () => {
    const socket = new WebSocket(`${service.origin.replace('http', 'ws')}/rpc/${'0'.repeat(32)}`);
    const [error] = (await once(socket, 'error')) as [Error];
    assert.match(error.message, /404/);
  });

  it('lists the transactions made on the fork, newest first, by pages', async () => {
    const hashes = [
      await increment(),
      ...(await call<string[]>(rpc, 'eth_sendTransactions', [
        { from: BOB.address, to: ALICE.address, value: '0x1bc16d674ec80000' },
        { from: BOB.address, to: COUNTER, data: '0xff000000', gas: '0x186a0' },
      ])),
      await call(rpc, 'eth_sendTransaction', { from: ALICE.address, data: '0x00' }),
    ];
    await call(rpc, 'evm_mine');
    const list = (query: { limit: number; cursor?: string }) =>
      service.forks.transactions(PROJECT, fork.forkId, query);
    const all = await list({ limit: 50 });
    assert.equal(all.total, 4);
    assert.equal(all.nextCursor, null);
    assert.deepEqual(
      all.transactions.map(({ hash }) => hash),
      hashes.toReversed(),
    );
    const [creation, reverted, transfer] = all.transactions;
    assert.equal(creation?.to, null);
    assert.deepEqual(
      [reverted?.status, reverted?.selector, reverted?.transactionIndex],
      [false, '0xff000000', 1],
    );
    assert.deepEqual(
      [transfer?.value, transfer?.selector, transfer?.status, transfer?.gasUsed],
      ['2', '', true, 21000],
    );
    const first = await list({ limit: 3 });
    assert.equal(first.nextCursor, '5-0');
    const second = await list({ limit: 3, cursor: '5-0' });
    assert.deepEqual(
      second.transactions.map(({ hash }) => hash),
      hashes.slice(0, 1),
    );
    assert.equal(second.nextCursor, null);
    await call(rpc, 'evm_revert', fork.snapshotId);
    assert.deepEqual(await list({ limit: 50 }), { total: 0, transactions: [], nextCursor: null });
  });

  it('keeps the order of many senders at once', async () => {
    const wallets = Array.from({ length: 8 }, () => Wallet.createRandom());
    await Promise.all(wallets.map(({ address }) => call(rpc, 'anvil_setBalance', address, ETHER)));
    const hashes = await Promise.all(wallets.map(({ address }) => increment(address)));
    const receipts = await Promise.all(hashes.map(receiptOf));
    assert.deepEqual(
      receipts.map(({ blockNumber }) => Number(blockNumber)).sort((a, b) => a - b),
      [4, 5, 6, 7, 8, 9, 10, 11],
    );
    assert.equal(await counter(), 9);
    assert.equal(service.counted.length, 8);
  });
});

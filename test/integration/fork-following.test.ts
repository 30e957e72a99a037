import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually';
import { call, refusal } from '../support/json-rpc';
import { useFork } from './fork-suite';
import { ALICE, BOB, COUNTER } from './fork-upstream';

interface Notification {
  method?: string;
  params?: { subscription: string; result: unknown };
}

describe('following a fork', () => {
  const on = useFork();

  const numbers = (news: unknown): number[] =>
    (news as { number?: string; blockNumber?: string }[]).map((one) =>
      Number(one.number ?? one.blockNumber),
    );
  const changes = (id: string): Promise<unknown[]> => call(on.rpc, 'eth_getFilterChanges', id);
  const hashOf = async (number: number): Promise<string> =>
    (
      await call<{ hash: string }>(
        on.rpc,
        'eth_getBlockByNumber',
        `0x${number.toString(16)}`,
        false,
      )
    ).hash;

  async function kill(): Promise<void> {
    process.kill(on.service.engine.pid, 'SIGKILL');
    await on.service.engine.exited;
  }

  it('filters return the changes since their last read, over sleep and killed engines', async () => {
    const logs = await call(on.rpc, 'eth_newFilter', { address: COUNTER });
    const blocks = await call(on.rpc, 'eth_newBlockFilter');
    const transactions = await call(on.rpc, 'eth_newPendingTransactionFilter');
    assert.deepEqual([await changes(logs), await changes(blocks)], [[], []]);
    const first = await on.increment();
    await on.service.forks.stop();
    await call(on.rpc, 'evm_mine');
    assert.deepEqual(await changes(blocks), [await hashOf(4), await hashOf(5)]);
    await kill();
    const second = await on.increment(BOB.address);
    await kill();
    assert.deepEqual(numbers(await changes(logs)), [4, 6]);
    assert.deepEqual(await changes(transactions), [first, second]);
    assert.deepEqual(await changes(blocks), [await hashOf(6)]);
    for (const id of [logs, blocks, transactions]) assert.deepEqual(await changes(id), []);
  });

  it('filters return the blocks after a revert', async () => {
    const logs = await call(on.rpc, 'eth_newFilter', { address: COUNTER });
    await on.increment();
    const snapshot = await call(on.rpc, 'evm_snapshot');
    await on.increment();
    assert.deepEqual(numbers(await changes(logs)), [4, 5]);
    await call(on.rpc, 'evm_revert', snapshot);
    assert.deepEqual(await changes(logs), []);
    await on.increment(BOB.address);
    assert.deepEqual(numbers(await changes(logs)), [5]);
  });

  it('filters apply their criteria, and return all matches on request', async () => {
    const elsewhere = await call(on.rpc, 'eth_newFilter', { address: ALICE.address });
    const bounded = await call(on.rpc, 'eth_newFilter', { fromBlock: '0x2', toBlock: '0x4' });
    const blocks = await call(on.rpc, 'eth_newBlockFilter');
    await on.increment();
    await on.increment();
    assert.deepEqual(await changes(elsewhere), []);
    assert.deepEqual(numbers(await changes(bounded)), [2, 4]);
    assert.deepEqual(numbers(await call(on.rpc, 'eth_getFilterLogs', bounded)), [2, 4]);
    assert.equal((await refusal(on.rpc, 'eth_getFilterLogs', blocks)).message, 'filter not found');
    assert.equal((await refusal(on.rpc, 'eth_newFilter', { address: '0x1' })).code, -32602);
    assert.match(
      (await refusal(on.rpc, 'eth_newFilter', 7)).message,
      /^the filter is 7; accepted: an object with/,
    );
  });

  it('filters end when they are uninstalled', async () => {
    const id = await call(on.rpc, 'eth_newBlockFilter');
    assert.equal(await call(on.rpc, 'eth_uninstallFilter', id), true);
    assert.equal(await call(on.rpc, 'eth_uninstallFilter', id), false);
    const error = await refusal(on.rpc, 'eth_getFilterChanges', id);
    assert.deepEqual([error.code, error.message], [-32000, 'filter not found']);
  });

  /** A client that receives its messages one by one. */
  async function connect() {
    const socket = new WebSocket(on.rpc.replace('http', 'ws'));
    const messages: Record<string, unknown>[] = [];
    socket.on('message', (data: Buffer) => {
      messages.push(JSON.parse(data.toString()) as Record<string, unknown>);
    });
    await once(socket, 'open');
    const next = (): Promise<Record<string, unknown>> =>
      eventually(() => {
        const message = messages.shift();
        assert.ok(message, 'no message has come');
        return message;
      });
    return {
      socket,
      ask: async (method: string, ...params: unknown[]) => {
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
        return next();
      },
      /** The next notification, which must belong to this subscription. */
      reported: async (subscription: unknown): Promise<Record<string, unknown>> => {
        const { method, params } = (await next()) as Notification;
        assert.deepEqual([method, params?.subscription], ['eth_subscription', subscription]);
        return params?.result as Record<string, unknown>;
      },
    };
  }

  it('subscriptions continue over sleep, killed engines and reverts, on the same connection', async () => {
    const client = await connect();
    const { result: heads } = await client.ask('eth_subscribe', 'newHeads');
    await on.increment();
    const head = await client.reported(heads);
    assert.deepEqual([Number(head['number']), head['hash']], [4, await hashOf(4)]);
    assert.equal('transactions' in head, false);
    await on.service.forks.stop();
    assert.equal((await on.service.forks.list('project_1'))[0]?.state, 'sleeping');
    await on.increment();
    assert.equal(Number((await client.reported(heads))['number']), 5);
    await kill();
    await call(on.rpc, 'anvil_mine', '0x3');
    for (const number of [6, 7, 8]) {
      assert.equal(Number((await client.reported(heads))['number']), number);
    }
    await call(on.rpc, 'evm_revert', on.fork.snapshotId);
    await call(on.rpc, 'evm_mine');
    assert.equal(Number((await client.reported(heads))['number']), 4);
    assert.equal((await client.ask('eth_unsubscribe', heads))['result'], true);
    assert.equal((await client.ask('eth_unsubscribe', heads))['result'], false);
    await call(on.rpc, 'evm_mine');
    assert.equal((await client.ask('eth_blockNumber'))['result'], '0x5');
    client.socket.close();
  });

  it('subscriptions report logs and transactions as requested', async () => {
    const client = await connect();
    const { result: logs } = await client.ask('eth_subscribe', 'logs', { address: COUNTER });
    const hash = await on.increment();
    const log = await client.reported(logs);
    assert.deepEqual([log['transactionHash'], Number(log['data'])], [hash, 2]);
    await client.ask('eth_unsubscribe', logs);
    const { result: hashes } = await client.ask('eth_subscribe', 'newPendingTransactions');
    const second = await on.increment();
    assert.equal(await client.reported(hashes), second);
    await client.ask('eth_unsubscribe', hashes);
    const { result: whole } = await client.ask('eth_subscribe', 'newPendingTransactions', true);
    const third = await on.increment();
    assert.deepEqual([(await client.reported(whole))['hash'], await on.counter()], [third, 4]);
    client.socket.close();
  });

  it('subscriptions to anything else are rejected with the supported ones', async () => {
    const client = await connect();
    const refused = async (...params: unknown[]) =>
      (await client.ask('eth_subscribe', ...params))['error'] as { code: number; message: string };
    assert.deepEqual(await refused('syncing'), {
      code: -32602,
      message:
        'the subscription is "syncing"; accepted: "newHeads", "logs", "newPendingTransactions"',
    });
    assert.match((await refused()).message, /^the subscription is missing/);
    assert.equal((await refused('logs', { topics: [7] })).code, -32602);
    client.socket.close();
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Fork } from '../../server/api/fork';
import { eventually } from '../support/eventually';
import { call, reply } from '../support/json-rpc';
import { childrenOf, signalAll } from '../support/processes';
import { describeWith } from '../support/programs';
import type { TestService } from '../support/service';
import { usePostgres } from '../support/storages';
import { ALICE, at, RECOVERY_MS, Team } from './team';

const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };

interface Message {
  id?: number;
  result?: unknown;
  error?: { code: number; message: string };
  params?: { subscription: string; result: unknown };
}

/** A client of a fork's WebSocket. */
class Client {
  readonly messages: Message[] = [];

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
    });
  }

  static async open(url: string): Promise<Client> {
    const client = new Client(new WebSocket(url.replace('http', 'ws')));
    await once(client.socket, 'open');
    return client;
  }

  send(id: number, method: string, ...params: unknown[]): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  async ask(id: number, method: string, ...params: unknown[]): Promise<Message> {
    this.send(id, method, ...params);
    return this.answer(id);
  }

  async answer(id: number): Promise<Message> {
    await eventually(() => {
      assert.ok(this.messages.some((message) => message.id === id));
    }, RECOVERY_MS);
    return this.messages.find((message) => message.id === id)!;
  }

  /** Results of the notifications of a subscription so far. */
  news(subscription: unknown): unknown[] {
    return this.messages
      .filter(({ params }) => params?.subscription === subscription)
      .map(({ params }) => params!.result);
  }
}

describeWith(['initdb'], 'what watches a fork goes on', function () {
  // Each test starts nodes of its own.
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let fork: Fork;
  let owner: TestService;
  let other: TestService;
  beforeEach(async () => {
    team = await Team.start(postgres(), 2);
    fork = await team.createFork(team.nodes[0]!);
    owner = await team.ownerOf(fork);
    other = team.otherThan(owner);
  });
  afterEach(() => team.stop());
  const ask = <Result = string>(method: string, ...params: unknown[]): Promise<Result> =>
    call<Result>(at(other, fork), method, ...params);
  const kill = async (): Promise<void> => {
    signalAll(childrenOf(owner.child.pid!), 'SIGKILL');
    await owner.kill();
  };
  const numbersOf = (heads: readonly unknown[]): number[] =>
    heads.map((head) => Number((head as { number: string }).number));

  it('filters, on the node that takes the fork over', async () => {
    const filters = await Promise.all([
      ask('eth_newBlockFilter'),
      ask('eth_newPendingTransactionFilter'),
      ask('eth_newFilter', { address: ALICE }),
    ]);
    const [blocks, transactions, logs] = filters;
    const changes = (id: string | undefined) => ask<string[]>('eth_getFilterChanges', id);
    const first = await ask('eth_sendTransaction', TRANSFER);
    assert.equal((await changes(blocks)).length, 1);
    assert.deepEqual(await changes(transactions), [first]);
    // What happens after a poll and before the kill is reported after the takeover.
    const snapshot = await ask('evm_snapshot');
    await ask('evm_mine');
    assert.equal((await changes(blocks)).length, 1);
    await ask('evm_revert', snapshot);
    const second = await ask('eth_sendTransaction', TRANSFER);
    await kill();
    const third = await ask('eth_sendTransaction', TRANSFER);
    const hashes = await Promise.all(
      [second, third].map(async (hash) => {
        const receipt = await ask<{ blockHash: string }>('eth_getTransactionReceipt', hash);
        return receipt.blockHash;
      }),
    );
    assert.deepEqual(await changes(blocks), hashes);
    assert.deepEqual(await changes(blocks), []);
    assert.deepEqual(await changes(transactions), [second, third]);
    assert.deepEqual(await changes(logs), []);
    assert.equal(await ask('eth_uninstallFilter', logs), true);
    const gone = await reply(at(other, fork), 'eth_getFilterChanges', logs);
    assert.deepEqual(gone.error, { code: -32000, message: 'filter not found' });
  });

  it('filters leave nothing behind when the fork is deleted', async () => {
    const count = () => team.query('SELECT 1 FROM forklens.filters').then(({ length }) => length);
    await ask('eth_newBlockFilter');
    assert.equal(await count(), 1);
    await team.request(other, 'DELETE', `/v1/project/${team.project}/fork/${fork.forkId}`);
    assert.equal(await count(), 0);
  });

  it('subscriptions of a client of another node, when the node of the fork is killed', async () => {
    const client = await Client.open(at(other, fork));
    const heads = (await client.ask(1, 'eth_subscribe', 'newHeads')).result;
    const sent = (await client.ask(2, 'eth_subscribe', 'newPendingTransactions')).result;
    const ended = (await client.ask(3, 'eth_subscribe', 'newHeads')).result;
    assert.equal((await client.ask(4, 'eth_unsubscribe', ended)).result, true);
    const first = (await client.ask(5, 'eth_sendTransaction', TRANSFER)).result;
    await eventually(() => {
      assert.deepEqual(client.news(sent), [first]);
      assert.equal(client.news(heads).length, 1);
    }, RECOVERY_MS);
    // A change that waits for its answer at the time of the kill, and a read that the next node answers.
    await client.ask(6, 'evm_setAutomine', false);
    client.send(7, 'eth_sendTransactionSync', TRANSFER);
    await eventually(async () => {
      const { pending } = await ask<{ pending: string }>('txpool_status');
      assert.equal(pending, '0x1');
    }, RECOVERY_MS);
    await kill();
    client.send(8, 'eth_chainId');
    assert.equal((await client.answer(8)).result, '0x7a69');
    const lost = (await client.answer(7)).error;
    assert.match(lost?.message ?? '', /ended before it answered; check whether/);
    await client.ask(9, 'evm_mine');
    await client.ask(10, 'evm_mine');
    await eventually(() => {
      const [before, ...after] = numbersOf(client.news(heads));
      assert.deepEqual(after, [before! + 1, before! + 2]);
    }, RECOVERY_MS);
    // The transaction that waited was in the journal.
    assert.equal(client.news(sent).length, 2);
    assert.deepEqual(client.news(ended), []);
    assert.equal((await client.ask(11, 'eth_unsubscribe', heads)).result, true);
    await client.ask(12, 'evm_mine');
    assert.equal((await client.ask(13, 'eth_unsubscribe', heads)).result, false);
    assert.equal(client.news(heads).length, 3);
    client.socket.terminate();
  });

  it('subscriptions of a client of another node, when the fork is given away', async () => {
    const client = await Client.open(at(other, fork));
    const heads = (await client.ask(1, 'eth_subscribe', 'newHeads')).result;
    await client.ask(2, 'evm_mine');
    assert.equal((await owner.stop()).code, 0);
    await client.ask(3, 'evm_mine');
    await eventually(() => {
      const [before, after, ...more] = numbersOf(client.news(heads));
      assert.deepEqual([after, more], [before! + 1, []]);
    }, RECOVERY_MS);
    client.socket.close();
    await once(client.socket, 'close');
  });

  it('not at an address that was renewed', async () => {
    const client = await Client.open(at(other, fork));
    const closed = once(client.socket, 'close') as Promise<[number, Buffer]>;
    await team.request(owner, 'POST', `/v1/project/${team.project}/fork/${fork.forkId}/rpc`);
    const [code, reason] = await closed;
    assert.deepEqual([code, reason.toString()], [1001, 'the address was renewed']);
  });
});

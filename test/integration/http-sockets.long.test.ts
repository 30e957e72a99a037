import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Fork } from '../../server/api/fork';
import { createHttpServer } from '../../server/http/server';
import { eventually } from '../support/eventually';
import { refusal } from '../support/json-rpc';
import { closeServer, listen } from '../../server/http/listen';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

/** @param isStubborn never closes its side */
async function open(port: number, text = '', isStubborn = true): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: isStubborn });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

describe('sockets of clients', function () {
  this.timeout(60_000);
  const malformed = [
    'nonsense\r\n\r\n',
    'GET / HTTP/9\r\n\r\n',
    `GET / HTTP/1.1\r\n${'x'.repeat(99_999)}`,
  ];
  const unfinished = [
    '',
    'GET / HTTP/1.1\r\nHo',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab',
  ];
  for (const [what, texts] of [
    ['malformed', malformed],
    ['not finished', unfinished],
  ] as const) {
    it(`are closed if the request is ${what}, whatever the client does`, async () => {
      const server = createHttpServer({
        app: (_, response) => response.end(),
        rpcProxy: { handle: () => undefined, handleUpgrade: () => undefined },
        isOurHost: () => true,
        timeouts: { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 },
      });
      const closed: Promise<unknown>[] = [];
      server.on('connection', (socket) => closed.push(once(socket, 'close')));
      const port = Number(new URL(await listen(server, '127.0.0.1', 0)).port);
      const clients = Array.from({ length: 60 }, (_, i) => open(port, texts[i % texts.length]));
      const sockets = await Promise.all(clients);
      await eventually(() => {
        assert.equal(closed.length, 60);
      });
      await Promise.all(closed);
      for (const socket of sockets) socket.destroy();
      await closeServer(server);
    });
  }

  it('have a maximum number; further ones are refused', async () => {
    const service = await startService({ config: { limits: { connections: 5 } } });
    const port = Number(new URL(service.url).port);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(port, '', false)));
    const closed: Socket[] = [];
    for (const socket of sockets) socket.resume().once('close', () => closed.push(socket));
    await eventually(() => {
      assert.equal(closed.length, 15);
    });
    for (const socket of sockets) socket.destroy();
    await service.stop();
  });

  it('are accepted later if there are no free descriptors, and acknowledged changes are kept', async function () {
    if (process.platform !== 'linux') this.skip(); // prlimit of a running process
    const dataDir = await makeTemporaryDirectory();
    const service = await startService({ dataDir });
    const { pid } = service.child;
    const port = Number(new URL(service.url).port);
    const create = async (name: string): Promise<number | undefined> => {
      const asked = service.request('POST', '/v1/project', { body: { name } });
      return asked.then(({ code }) => code).catch(() => undefined);
    };
    const made = ['before'];
    assert.equal(await create('before'), 0);
    const limit = readdirSync(`/proc/${pid}/fd`).length + 4;
    execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);
    const sockets = await Promise.all(Array.from({ length: 40 }, () => open(port, '', false)));
    for (let i = 0; i < 5; i++) if ((await create(`without ${i}`)) === 0) made.push(`without ${i}`);
    const still = sockets.filter((socket) => !socket.closed);
    const closed = still.map((socket) => once(socket.resume(), 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    await eventually(async () => {
      assert.equal(await create('after'), 0);
    });
    made.push('after');
    await service.stop();
    const again = await startService({ dataDir });
    const { data } = await again.request<{ name: string }[]>('GET', '/v1/projects');
    const names = data.map(({ name }) => name);
    assert.deepEqual(names.slice(-made.length), made);
    assert.equal(new Set(names).size, names.length);
    await again.stop();
    await removeDirectory(dataDir);
  });

  it('have a rate limit for administration commands', async () => {
    const service = await startService({ config: { limits: { requestsPerMinute: 3 } } });
    const codes: number[] = [];
    for (let i = 0; i < 4; i++) codes.push((await service.request('POST', '/admin/users')).code);
    assert.deepEqual(codes, [40400, 40400, 40400, 42900]);
    await service.stop();
  });

  describe('of a fork', () => {
    let service: TestService;
    let fork: Fork;
    before(async () => {
      const config = { limits: { rpcCallsPerMinute: 300 } };
      service = await startService({ args: ['--sandbox'], config });
      fork = await createFork(service, { chainId: 31337 });
    });
    after(() => service.stop());

    it('have up to 2,000 subscriptions and filters together', async () => {
      const service = await startService({ args: ['--sandbox'] });
      const { rpc } = await createFork(service, { chainId: 31337 });
      const clients: WebSocket[] = [];
      const subscribe = async (
        client: WebSocket,
      ): Promise<{ code: number; message: string } | undefined> => {
        const params = ['newPendingTransactions'];
        client.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params }));
        const [data] = (await once(client, 'message')) as [Buffer];
        return (JSON.parse(String(data)) as { error?: { code: number; message: string } }).error;
      };
      for (let i = 0; i < 11; i++) {
        const client = new WebSocket(rpc.replace('http', 'ws'));
        clients.push(client);
        await once(client, 'open');
        if (i === 10) break;
        for (let count = 0; count < 200; count++) {
          assert.equal(await subscribe(client), undefined);
        }
      }
      const error = {
        code: -32005,
        message:
          'the fork has 2000 subscriptions and filters, which is the limit; remove some first',
      };
      assert.deepEqual(await subscribe(clients[10]!), error);
      assert.deepEqual(await refusal(rpc, 'eth_newBlockFilter'), error);
      clients[0]!.terminate();
      // The subscriptions of a connection end with it.
      await eventually(async () => {
        assert.equal(await subscribe(clients[10]!), undefined);
      });
      await service.stop();
    });

    it('have up to 200 subscriptions each, and calls up to the limit per minute', async () => {
      const socket = new WebSocket(fork.rpc.replace('http', 'ws'));
      await once(socket, 'open');
      const answers: { id: number; error?: { code: number; message: string } }[] = [];
      const all = new Promise<void>((resolve) => {
        socket.on('message', (data) => {
          answers.push(JSON.parse((data as Buffer).toString()) as never);
          if (answers.length === 301) resolve();
        });
      });
      for (let id = 0; id < 301; id++) {
        const params = id < 201 ? ['newHeads'] : [];
        const method = id < 201 ? 'eth_subscribe' : 'eth_chainId';
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      }
      await all;
      const refused = answers.filter(({ error }) => error).sort((a, b) => a.id - b.id);
      assert.deepEqual(
        refused.map(({ id, error }) => [id, error?.code]),
        [
          [200, -32005],
          [300, -32005],
        ],
      );
      assert.match(refused[0]!.error!.message, /^the connection has 200 subscriptions/);
      assert.match(refused[1]!.error!.message, /^more than 300 calls per minute; try again in/);
      const response = await fetch(fork.rpc, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
      });
      assert.equal(response.status, 429);
      assert.ok(Number(response.headers.get('retry-after')) > 0);
      socket.close();
      await once(socket, 'close');
    });
  });
});

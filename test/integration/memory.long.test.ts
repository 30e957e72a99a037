import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { Fork } from '../../server/api/fork';
import { LIMITS } from '../../server/api/limits';
import { eventually } from '../support/eventually';
import { call, refusal } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';

const ADDRESS = `0x${'c0'.repeat(20)}`;
const CODE_BYTES = 3_500_000;
/** Size of a `result`, with its JSON. */
const ANSWER_BYTES = 2 * CODE_BYTES;
/** What the service may hold of the answers: a client that reads nothing has about 100 pending. Without limits, 7,000 are read. */
const MAX_MEGABYTES = 200;
/** Clients that send requests at the same time, and how many of them the limit of a fork refuses at least. */
const SENDERS = 40;
const refusedOf = (requestBytes: number): number =>
  SENDERS - Math.floor((LIMITS.bytesPerFork * 1024 * 1024) / requestBytes);

/** Pieces of a message that does not end, of 1 MiB. */
const PIECES = 7;
/** A deadline for the service to read what the clients send. */
const SENT_MS = 30_000;

const GET_CODE = { method: 'eth_getCode', params: [ADDRESS, 'latest'] };
const batchOf = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, ...GET_CODE })));

describe('the memory of the service', function () {
  this.timeout(60_000);
  let service: TestService;
  let fork: Fork;
  let heldBefore: number;

  before(function () {
    if (process.platform !== 'linux') this.skip(); // it is read from /proc
  });
  beforeEach(async () => {
    service = await startService({ args: ['--sandbox'], config: { limits: { readerSeconds: 2 } } });
    fork = await createFork(service, { chainId: 31337 });
    await call(fork.rpc, 'anvil_setCode', ADDRESS, `0x${'00'.repeat(CODE_BYTES)}`);
    heldBefore = readNotWritten();
  });
  afterEach(() => service.stop());

  /** Bytes that the process of the service has read, and not written anywhere. */
  const readNotWritten = (): number => {
    const counters = readFileSync(`/proc/${service.child.pid!}/io`, 'utf8');
    const valueOf = (name: string): number =>
      Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counters)![1]);
    return valueOf('rchar') - valueOf('wchar');
  };
  const assertHoldsLittle = (): void => {
    const megabytes = (readNotWritten() - heldBefore) / 1e6;
    assert.ok(megabytes < MAX_MEGABYTES, `${megabytes} MB`);
  };
  const untilCutOff = (): Promise<void> =>
    eventually(() => {
      assert.match(service.stderr.join('\n'), /were disconnected/);
    });
  /** Sends a request over a connection from which nothing is read yet. */
  const send = async (body: string, length = body.length): Promise<Socket> => {
    const { hostname, port, pathname } = new URL(fork.rpc);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause().on('error', () => undefined);
    const head = [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    await once(socket, 'connect');
    return socket;
  };

  it('does not grow with the answers of a batch, which are sent as they become ready', async () => {
    const socket = await send(batchOf(1_000));
    let read = 0;
    for await (const chunk of socket) {
      read += (chunk as Buffer).length;
      if (read > 40 * ANSWER_BYTES) break;
    }
    assert.ok(read > 40 * ANSWER_BYTES);
    assertHoldsLittle();
    assert.equal(await call(fork.rpc, 'eth_chainId'), '0x7a69');
  });

  it('does not grow with unread answers of a batch: the client is disconnected', async () => {
    const socket = await send(batchOf(1_000));
    await untilCutOff();
    socket.destroy();
    assertHoldsLittle();
    assert.equal(await call(fork.rpc, 'eth_chainId'), '0x7a69');
  });

  it('does not grow with unread answers on a WebSocket: the client is disconnected', async () => {
    const client = new WebSocket(fork.rpc.replace('http', 'ws'));
    await once(client, 'open');
    client.pause();
    client.on('error', () => undefined);
    for (let id = 0; id < 1_000; id++) {
      client.send(JSON.stringify({ jsonrpc: '2.0', id, ...GET_CODE }));
    }
    await untilCutOff();
    client.terminate();
    assertHoldsLittle();
    assert.equal(await call(fork.rpc, 'eth_chainId'), '0x7a69');
  });

  it('does not grow with unread notifications of subscriptions', async () => {
    // LOG0 of 2 MB of memory: PUSH3 size PUSH0 LOG0
    await call(fork.rpc, 'anvil_setCode', ADDRESS, '0x621e84805fa0');
    const client = new WebSocket(fork.rpc.replace('http', 'ws'));
    await once(client, 'open');
    for (let id = 0; id < 100; id++) {
      client.send(
        JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: ['logs'] }),
      );
      await once(client, 'message');
    }
    client.pause();
    client.on('error', () => undefined);
    const from = `0x${'a1'.repeat(20)}`;
    await call(fork.rpc, 'anvil_setBalance', from, '0x56bc75e2d63100000');
    await call(fork.rpc, 'eth_sendTransaction', { from, to: ADDRESS, gas: '0x1c00000' });
    await untilCutOff();
    client.terminate();
    assertHoldsLittle();
  });

  it("does not grow with requests beyond the fork's limit", async () => {
    const large = JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'x'.repeat(7_900_000) }]);
    const sockets = await Promise.all(
      Array.from({ length: SENDERS }, () => send(large.slice(0, -1), large.length)),
    );
    // The last byte of each follows when the service has read all others.
    await eventually(() => {
      assert.ok(readNotWritten() - heldBefore > SENDERS * (large.length - 1));
    }, SENT_MS);
    const statuses = sockets.map(async (socket) => {
      socket.resume().write(large.slice(-1));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return Number(/^HTTP\/1\.1 (\d+) /.exec(String(answer))?.[1]);
    });
    const refused = (await Promise.all(statuses)).filter((status) => status === 429);
    assert.ok(refused.length >= refusedOf(large.length), `${refused.length} are refused`);
    for (const socket of sockets) socket.destroy();
  });

  it('does not grow with endless WebSocket messages', async () => {
    const PIECE = Buffer.alloc(1024 * 1024, 'x');
    const clients = Array.from({ length: SENDERS }, () => {
      const client = new WebSocket(fork.rpc.replace('http', 'ws'));
      client.on('error', () => undefined);
      return client;
    });
    await Promise.all(clients.map((client) => once(client, 'open')));
    const sent = clients.map(async (client) => {
      for (let i = 0; i < PIECES; i++) {
        await new Promise<void>((resolve) => {
          client.send(PIECE, { fin: false }, () => {
            resolve();
          });
        });
      }
    });
    await Promise.all(sent);
    await eventually(() => {
      const closed = clients.filter(({ readyState }) => readyState === WebSocket.CLOSED).length;
      assert.ok(closed >= refusedOf(PIECES * PIECE.length), `${closed} are closed`);
    }, SENT_MS);
    for (const client of clients) client.terminate();
    assert.equal(await call(fork.rpc, 'eth_chainId'), '0x7a69');
  });

  it('does not block a change while a client does not read an earlier answer of the engine', async () => {
    const socket = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, ...GET_CODE }));
    const second = await send(JSON.stringify({ jsonrpc: '2.0', id: 2, ...GET_CODE }));
    assert.equal(await call(fork.rpc, 'evm_mine'), '0x0');
    await untilCutOff();
    socket.destroy();
    second.destroy();
  });

  it("limits the size of a fork's filters", async () => {
    const topics = [Array.from({ length: 1_001 }, (_, i) => `0x${String(i).padStart(64, '0')}`)];
    assert.equal((await refusal(fork.rpc, 'eth_newFilter', { topics })).code, -32602);
  });
});

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import express from 'express';
import type { Change } from '../../../server/api/changes';
import { ApiError } from '../../../server/api/errors';
import { readEvents, type ServerEvent } from '../../../server/api/event-source';
import { ChangeStreams } from '../../../server/http/change-stream';
import type { AccessKeys } from '../../../server/projects/access-keys';
import { ChangeFeed } from '../../../server/projects/change-feed';
import { eventually } from '../../support/eventually';

const PROJECT = `project_${'1'.repeat(32)}`;

const transactionsOf = (forkId: string): Change => ({
  type: 'transactions',
  projectId: PROJECT,
  forkId,
});
const replayed = (done: number): Change => ({
  type: 'fork',
  projectId: PROJECT,
  forkId: 'fork_1',
  name: 'f',
  chain: 'eth',
  height: '0x1',
  position: 9,
  state: 'creating',
  progress: { stage: 'replaying transactions', done, total: 9 },
});

describe('change streams', () => {
  const feed = new ChangeFeed({ findProject: () => Promise.resolve(undefined) });
  let revoked = false;
  const keys = {
    authenticate: () => {
      if (revoked) return Promise.reject(new ApiError('keyUnknown', 'revoked'));
      return Promise.resolve({ user: { userId: 'user_1' }, key: { scopes: ['manage'] } });
    },
  } as unknown as AccessKeys;
  const streams = new ChangeStreams(keys, feed, 10);
  const app = express();
  app.get('/', streams.handle);
  const server = createServer(app);
  let url: string;

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  beforeEach(() => {
    revoked = false;
  });
  after(
    () =>
      new Promise((resolve) => {
        streams.close();
        server.close(resolve);
        server.closeAllConnections();
      }),
  );

  const open = async (): Promise<AsyncGenerator<ServerEvent, void, undefined>> => {
    const events = readEvents(await fetch(url));
    assert.deepEqual((await events.next()).value, { name: 'ready', data: {} });
    return events;
  };

  const counted = (streams: number): Promise<void> =>
    eventually(() => {
      assert.equal(feed.count('user_1'), streams);
    });

  it('send only the last of several simultaneous changes of a subject', async () => {
    const events = await open();
    feed.notifyUsers(['user_1'], transactionsOf('fork_1'));
    for (let done = 1; done <= 9; done++) feed.notifyUsers(['user_1', 'user_2'], replayed(done));
    feed.notifyUsers(['user_2'], transactionsOf('fork_2'));
    feed.notifyUsers(['user_1'], transactionsOf('fork_3'));
    const heard: unknown[] = [];
    for (let count = 0; count < 3; count++) {
      const { value } = await events.next();
      heard.push((value as ServerEvent).data);
    }
    assert.deepEqual(heard, [transactionsOf('fork_1'), replayed(9), transactionsOf('fork_3')]);
    await events.return();
  });

  it('send regular heartbeats', async () => {
    const response = await fetch(url);
    const reader = response.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    let text = '';
    while (!text.includes(': alive\n\n: alive\n\n')) {
      const { done, value } = await reader.read();
      assert.equal(done, false, `ended after ${JSON.stringify(text)}`);
      text += new TextDecoder().decode(value);
    }
    await reader.cancel();
  });

  it('end if the client reads nothing, and are then no longer counted', async () => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }).pause();
    socket.on('error', () => undefined);
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await counted(1);
    // More than the system buffers for a client.
    for (let i = 0; i < 150_000; i++) feed.notifyUsers(['user_1'], transactionsOf(`fork_${i}`));
    await counted(0);
    socket.destroy();
  });

  it('end when their key is revoked, and are then no longer counted', async () => {
    const events = await open();
    revoked = true;
    assert.equal((await events.next()).done, true);
    await counted(0);
  });
});

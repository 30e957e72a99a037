import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Change } from '../../../../server/api/changes';
import { ChangeListener } from '../../../../extension/service/change-listener';
import { silentLog } from '../support';

const CHANGE = { type: 'project', projectId: 'project_1' } as const;

describe('change listener', () => {
  const server = createServer();
  let streams: ServerResponse[];
  let opened: (stream: ServerResponse) => void;
  let status: number;
  let listener: ChangeListener;
  let pauses: number[];
  /** Called after four pauses; the listener then pauses until it is stopped. */
  let exhausted: () => void;
  let changes: Change[];

  before(async () => {
    server.on('request', (request, response) => {
      assert.equal(request.url, '/v1/events');
      assert.equal(request.headers['access-key'], 'key');
      if (status !== 200) {
        response.writeHead(status).end();
        return;
      }
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('event: ready\ndata: {}\n\n');
      streams.push(response);
      opened(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  beforeEach(() => {
    streams = [];
    pauses = [];
    changes = [];
    status = 200;
    opened = () => undefined;
    exhausted = () => undefined;
    const { port } = server.address() as AddressInfo;
    const access = { baseUrl: `http://127.0.0.1:${port}`, accessKey: 'key' };
    listener = new ChangeListener(
      { access: () => Promise.resolve(access) },
      silentLog,
      (ms, signal) => {
        pauses.push(ms);
        if (pauses.length < 4) return Promise.resolve();
        exhausted();
        return new Promise((_, reject) => {
          signal.addEventListener('abort', reject);
        });
      },
    );
    listener.onDidChange((change) => changes.push(change));
  });
  afterEach(() => {
    listener.dispose();
  });

  const nextStream = (): Promise<ServerResponse> => new Promise((resolve) => (opened = resolve));
  const nextConnect = (): Promise<void> =>
    new Promise((resolve) => {
      const subscription = listener.onDidConnect(() => {
        subscription.dispose();
        resolve();
      });
    });
  const nextChange = (): Promise<Change> =>
    new Promise((resolve) => {
      const subscription = listener.onDidChange((change) => {
        subscription.dispose();
        resolve(change);
      });
    });

  it('reports changes, with one connection after repeated starts', async () => {
    const stream = nextStream();
    const connected = nextConnect();
    listener.start();
    listener.start();
    await connected;
    const changed = nextChange();
    (await stream).write(
      `: alive\n\nevent: change\ndata: {"type":"of another version"}\n\nevent: change\ndata: ${JSON.stringify(CHANGE)}\n\n`,
    );
    assert.deepEqual(await changed, CHANGE);
    assert.deepEqual(changes, [CHANGE]);
    assert.equal(streams.length, 1);
  });

  it('reconnects after a lost connection, and reports it', async () => {
    const first = nextStream();
    const connected = nextConnect();
    listener.start();
    await connected;
    const again = nextConnect();
    (await first).end();
    await again;
    assert.equal(streams.length, 2);
    assert.deepEqual(pauses, [500]);
  });

  it('waits with growing pauses if it is refused', async () => {
    status = 503;
    const waited = new Promise<void>((resolve) => (exhausted = resolve));
    listener.start();
    await waited;
    assert.deepEqual(pauses, [500, 1_000, 2_000, 4_000]);
  });

  it('closes its connection when it is stopped', async () => {
    const stream = nextStream();
    const connected = nextConnect();
    listener.start();
    await connected;
    const closed = new Promise((resolve) => {
      void stream.then((response) => response.on('close', resolve));
    });
    listener.stop();
    await closed;
    assert.deepEqual(pauses.length <= 1, true);
  });

  it('stops if the service has no change stream', async () => {
    status = 404;
    const reported = new Promise<string>((resolve) => {
      const { port } = server.address() as AddressInfo;
      const access = { baseUrl: `http://127.0.0.1:${port}`, accessKey: 'key' };
      const other = new ChangeListener(
        { access: () => Promise.resolve(access) },
        { ...silentLog, info: resolve },
      );
      other.start();
    });
    assert.match(await reported, /older version/);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import {
  createAccountServices,
  type AccountServices,
} from '../../../server/composition/account-services';
import { openStorage } from '../../../server/composition/storage';
import { ApiError, forkNotFound } from '../../../server/api/errors';
import type { BalanceChange } from '../../../server/api/explorer';
import type { Fork } from '../../../server/api/fork';
import { createApp } from '../../../server/http/app';
import { ChangeStreams } from '../../../server/http/change-stream';
import { closeServer, listen } from '../../../server/http/listen';
import { createHttpServer } from '../../../server/http/server';
import type { AnalysisService, ForkService } from '../../../server/http/services';
import { noQuotas, stubServices } from '../../support/stub-services';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const HASH = `0x${'ab'.repeat(32)}`;
const FORK: Fork = {
  forkId: 'fork_1',
  chainId: 1,
  name: 'f',
  rpc: 'http://127.0.0.1:1/rpc/x',
  rpcChainId: 1,
  chain: 'eth',
  height: '0x1',
  position: null,
  antiReplay: false,
  snapshotId: 's',
  createTime: '2026-01-01T00:00:00.000Z',
  state: 'running',
};
const NO_CHANGE: BalanceChange = { status: true, balanceChange: [] };

describe('HTTP handlers', () => {
  let directory: string;
  let accounts: AccountServices;
  let server: Server;
  let url: string;
  let forks: ForkService;
  let analysis: AnalysisService;
  let log: string[];

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    log = [];
    const stubs = stubServices(() => Promise.reject(new Error('not used')));
    forks = {
      ...stubs.forks,
      create: () => Promise.resolve(FORK),
      list: () => Promise.resolve([FORK]),
      get: (_projectId, forkId) => Promise.reject(forkNotFound(forkId)),
    };
    analysis = { ...stubs.analysis, balanceChange: () => Promise.resolve(NO_CHANGE) };
    const logger = pino({ level: 'warn' }, { write: (line) => log.push(line) });
    const clock = (): Date => new Date();
    const storage = await openStorage({
      dataDir: directory,
      database: undefined,
      clock,
      log: logger,
    });
    accounts = createAccountServices({
      storage,
      clock,
      projectLimit: 20,
      deleteForksOf: (projectId) => forks.deleteAllOf(projectId),
      addressesRenewed: () => Promise.resolve(),
      warn: () => undefined,
    });
    const app = createApp({
      ...stubs,
      ...accounts,
      forks,
      analysis,
      changes: new ChangeStreams(accounts.keys, accounts.feed),
      quotas: noQuotas(),
      requestsPerMinute: undefined,
      log: logger,
    });
    server = createHttpServer({
      app,
      rpcProxy: {
        handle: (_request, response) => response.end('from the proxy'),
        handleUpgrade: (_request, socket) => socket.end('upgraded by the proxy'),
      },
      isOurHost: () => true,
    });
    url = await listen(server, '127.0.0.1', 0);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await closeServer(server);
    await removeDirectory(directory);
  });

  const signUp = async (nickname: string) => {
    const user = await accounts.users.register(nickname, `${nickname}@example.org`);
    const { key } = await accounts.keys.issue(user.userId, ['manage', 'analyze'], '');
    const [project] = await accounts.projects.list(user.userId);
    const headers = { 'Access-Key': key, 'Content-Type': 'application/json' };
    return { user, headers, projectId: project!.projectId };
  };
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(url + path, init);
    const answer = (await response.json()) as { code: number; message: string; data: unknown };
    return { status: response.status, ...answer };
  };
  const forkBody = JSON.stringify({ chainId: 1, name: 'f' });

  it('pass on forks with defaults filled in, and list them in the project detail', async () => {
    const { headers, projectId } = await signUp('ann');
    let body: unknown;
    forks.create = (_projectId, given) => {
      body = given;
      return Promise.resolve(FORK);
    };
    const path = `/v1/project/${projectId}`;
    const created = await send(`${path}/fork`, { method: 'POST', headers, body: forkBody });
    assert.deepEqual(created.data, FORK);
    assert.deepEqual(body, {
      chainId: 1,
      name: 'f',
      height: 'safe',
      antiReplay: false,
      accounts: 'test',
    });
    const detail = (await send(path, { headers })).data as { fokDetail: unknown };
    assert.deepEqual(detail.fokDetail, [
      { forkId: 'fork_1', chainId: 1, name: 'f', rpc: FORK.rpc },
    ]);
    assert.equal((await send(`${path}/fork/fork_2`, { headers })).code, 40402);
  });

  it('delete a new fork whose project was deleted during its creation', async () => {
    const { headers, projectId } = await signUp('ann');
    const deleted: string[] = [];
    forks.create = async () => {
      await accounts.projects.delete(projectId);
      return FORK;
    };
    forks.delete = (_projectId, forkId) => Promise.resolve(void deleted.push(forkId));
    const path = `/v1/project/${projectId}/fork`;
    const answer = await send(path, { method: 'POST', headers, body: forkBody });
    assert.equal(answer.code, 40401);
    assert.deepEqual(deleted, ['fork_1']);
  });

  it('report a full disk, whichever file cannot be written', async () => {
    const { headers, projectId } = await signUp('ann');
    forks.create = async () => {
      await writeFile('/dev/full', 'fork'); // the system's device without free space
      return FORK;
    };
    const path = `/v1/project/${projectId}/fork`;
    const { status, code, message } = await send(path, { method: 'POST', headers, body: forkBody });
    assert.deepEqual([status, code], [507, 50700]);
    assert.equal(message, 'there is no space left for the data of the service');
  });

  it('analyze chains, and forks that the caller can access', async () => {
    const ann = await signUp('ann');
    const bob = await signUp('bob');
    forks.findProjectId = (id) => Promise.resolve(id === 'fork_1' ? ann.projectId : undefined);
    const seen: unknown[] = [];
    analysis.balanceChange = ({ chain, hash, user }) => {
      seen.push([chain, hash, user]);
      return Promise.resolve(NO_CHANGE);
    };
    const codeOf = async (chain: string, { headers }: { headers: HeadersInit }) => {
      const path = `/v1/explorer/${chain}/transaction/${HASH.toUpperCase().replace('X', 'x')}`;
      return (await send(`${path}/balance-change`, { headers })).code;
    };
    assert.equal(await codeOf('eth', bob), 0);
    assert.equal(await codeOf('fork_1', ann), 0);
    assert.equal(await codeOf('fork_1', bob), 40404);
    assert.equal(await codeOf('fork_2', ann), 40404);
    assert.deepEqual(seen, [
      ['eth', HASH, bob.user.userId],
      ['fork_1', HASH, ann.user.userId],
    ]);
  });

  it('abort the work for a client that disconnects', async () => {
    const { headers, projectId } = await signUp('ann');
    const client = new AbortController();
    const reason = new Promise<unknown>((resolve) => {
      forks.create = (_projectId, _body, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            resolve(signal.reason);
            reject(signal.reason as Error);
          });
          client.abort();
        });
    });
    const path = `/v1/project/${projectId}/fork`;
    const sent = send(path, { method: 'POST', headers, body: forkBody, signal: client.signal });
    await assert.rejects(sent, { name: 'AbortError' });
    const error = await reason;
    assert.ok(error instanceof ApiError && error.kind === 'cancelled');
  });

  it('return known errors, and log unknown ones without returning them', async () => {
    const { headers, projectId } = await signUp('ann');
    forks.list = () => Promise.reject(new ApiError('upstreamLacksData', 'no archive node'));
    const path = `/v1/project/${projectId}/forks`;
    assert.deepEqual(await send(path, { headers }), {
      status: 502,
      code: 50201,
      message: 'no archive node',
      data: null,
    });
    forks.list = () => Promise.reject(new Error('a secret detail'));
    const answer = await send(path, { headers });
    assert.equal(answer.status, 500);
    assert.equal(answer.code, 50000);
    assert.match(
      answer.message,
      /^the service failed; its log has the details of request [0-9a-f]{16}$/,
    );
    const entry = JSON.parse(log.at(-1)!) as { requestId: string; err: { message: string } };
    assert.equal(entry.err.message, 'a secret detail');
    assert.ok(answer.message.endsWith(entry.requestId));
  });

  describe('paths that bypass Express', () => {
    const exchange = async (text: string): Promise<string> => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(text.replaceAll('\n', '\r\n'));
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return chunk.toString();
    };
    const upgrade = 'Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AA\n';

    it('reach the RPC proxy: requests and WebSockets', async () => {
      assert.equal(await (await fetch(`${url}/rpc/x`)).text(), 'from the proxy');
      const answer = await exchange(
        'GET /rpc/x HTTP/1.1\nHost: x\nConnection: Upgrade\nUpgrade: websocket\n\n',
      );
      assert.equal(answer, 'upgraded by the proxy');
    });

    it('serve no WebSocket elsewhere', async () => {
      const answer = await exchange(
        'GET /v1/projects HTTP/1.1\nHost: x\nConnection: Upgrade\nUpgrade: websocket\n\n',
      );
      assert.match(answer, /^HTTP\/1\.1 404 Not Found\r\n.*"code":40400/s);
    });

    it('are served in HTTP/1.1 to a client that requests HTTP/2', async () => {
      const get = await exchange(`GET /health HTTP/1.1\nHost: x\n${upgrade}\n`);
      assert.match(get, /^HTTP\/1\.1 200 OK\r\n.*"status":"ok"/s);
      const { headers } = await signUp('ann');
      const body = '{"name":"by Java"}';
      const head = `POST /v1/project HTTP/1.1\nHost: x\nAccess-Key: ${headers['Access-Key']}\nContent-Type: application/json\n`;
      const post = await exchange(`${head}${upgrade}Content-Length: ${body.length}\n\n${body}`);
      assert.match(post, /^HTTP\/1\.1 200 OK\r\n.*"name":"by Java"/s);
    });
  });

  it('name an address that cannot be bound', async () => {
    const other = createServer();
    const { port } = server.address() as AddressInfo;
    await assert.rejects(
      listen(other, '127.0.0.1', port),
      /^Error: cannot listen on 127\.0\.0\.1 port \d+: the port is in use/,
    );
  });
});

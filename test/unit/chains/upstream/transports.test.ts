import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import { ClientSuite, fails, ok } from './http-client-support';

const KEY = '5ecr3t-t0ken';
const answer = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 0, result });

describe('ways to an endpoint', () => {
  const suite = new ClientSuite();
  const servers: Server[] = [];
  afterEach(async () => {
    await suite.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
  async function serve(listener: RequestListener): Promise<{ server: Server; port: number }> {
    const server = createServer(listener);
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  }

  it('sends the headers of the endpoint and a user agent, and shows neither', async () => {
    const node = await suite.node((message) => ok(message));
    const address = { url: node.url, headers: { authorization: `Bearer ${KEY}`, 'x-team': 'a' } };
    const rpc = suite.client([], { urls: [address], userAgent: 'forklens/1.2.3' });
    assert.equal(await rpc.request('echo', [1]), 1);
    const { authorization, 'x-team': team, 'user-agent': agent } = node.headers[0]!;
    assert.deepEqual([authorization, team, agent], [`Bearer ${KEY}`, 'a', 'forklens/1.2.3']);
    const refusing = await suite.node(() => ({
      status: 401,
      body: { error: `the token ${KEY} is not authorized` },
    }));
    const other = suite.client([], { urls: [{ ...address, url: refusing.url }] });
    await assert.rejects(
      other.request('m', []),
      fails('upstreamUnreachable', /the token <key> is not authorized/),
    );
  });

  for (const [coding, compress] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const) {
    it(`reads answers compressed by ${coding}`, async () => {
      let accepted: unknown;
      const { port } = await serve((request, response) => {
        accepted = request.headers['accept-encoding'];
        response.writeHead(200, { 'content-encoding': coding });
        response.end(compress(answer('x'.repeat(10_000))));
      });
      const rpc = suite.client([`http://127.0.0.1:${port}`]);
      assert.equal(await rpc.request('m', []), 'x'.repeat(10_000));
      assert.equal(accepted, 'gzip, br, deflate');
    });
  }

  it('bounds the expanded answer, and treats a damaged one as a failure', async function () {
    this.timeout(60_000);
    let body = gzipSync(Buffer.alloc(300 * 1024 * 1024, 0x20), { level: 1 });
    const { port } = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(body);
    });
    const rpc = suite.client([`http://127.0.0.1:${port}`], { rounds: 1 });
    await assert.rejects(rpc.request('m', []), /the answer is longer than 268435456 bytes/);
    body = gzipSync(answer(1)).subarray(0, 12);
    await assert.rejects(rpc.request('m', []), fails('upstreamUnreachable', /Z_BUF_ERROR/));
  });

  it('follows redirects within the host, and remembers permanent ones', async () => {
    const paths: (string | undefined)[] = [];
    const { port } = await serve((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      if (request.url === '/v2/key') response.end(answer(5));
      else response.writeHead(308, { location: '/v2/key' }).end();
    });
    const rpc = suite.client([`http://127.0.0.1:${port}/v1/key`]);
    assert.equal(await rpc.request('m', []), 5);
    assert.deepEqual(paths, ['POST /v1/key', 'POST /v2/key']);
    await rpc.request('m', []).catch(() => 0);
    assert.equal(paths[2], 'POST /v2/key');
  });

  it('sends its keys to no other host', async () => {
    let reached = 0;
    const other = await serve((_, response) => {
      reached++;
      response.end(answer(5));
    });
    const { port } = await serve((_, response) => {
      response.writeHead(307, { location: `http://localhost:${other.port}/` }).end();
    });
    const rpc = suite.client([`http://127.0.0.1:${port}/5ecr3t`], { rounds: 1 });
    await assert.rejects(
      rpc.request('m', []),
      fails('upstreamUnreachable', /redirects to another host/),
    );
    assert.equal(reached, 0);
  });

  it('ends in a loop of redirects', async () => {
    const { port } = await serve((_, response) => {
      response.writeHead(302, { location: '/' }).end();
    });
    const rpc = suite.client([`http://127.0.0.1:${port}`], { rounds: 1 });
    await assert.rejects(
      rpc.request('m', []),
      fails('upstreamUnreachable', /more than 5 redirects/),
    );
  });

  describe('through the proxy of the environment', () => {
    const names = [
      'http_proxy',
      'HTTP_PROXY',
      'https_proxy',
      'HTTPS_PROXY',
      'no_proxy',
      'NO_PROXY',
    ];
    const before = names.map((name) => [name, process.env[name]] as const);
    beforeEach(() => {
      for (const name of names) Reflect.deleteProperty(process.env, name);
    });
    afterEach(() => {
      for (const [name, value] of before) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    });
    async function proxyTo(port: number): Promise<{ url: string; asked: string[] }> {
      const asked: string[] = [];
      const proxy = await serve((request, response) => {
        asked.push(String(request.url));
        response.end(answer('proxied'));
      });
      proxy.server.on('connect', (request, socket) => {
        asked.push(String(request.url));
        const node = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
          node.pipe(socket).pipe(node);
        });
        node.on('error', () => socket.destroy());
        socket.on('error', () => node.destroy());
      });
      return { url: `http://127.0.0.1:${proxy.port}`, asked };
    }

    it('reaches hosts that only the proxy knows, except those of NO_PROXY', async () => {
      const node = await serve((_, response) => response.end(answer('direct')));
      const proxy = await proxyTo(node.port);
      process.env['HTTP_PROXY'] = proxy.url;
      const far = suite.client(['http://node.invalid/key']);
      assert.match(String(await far.request('m', [])), /proxied|direct/);
      assert.equal(proxy.asked.length, 1);
      const near = suite.client([`http://127.0.0.1:${node.port}`]);
      assert.equal(await near.request('m', []), 'direct');
      process.env['NO_PROXY'] = 'node.invalid';
      const excluded = suite.client(['http://node.invalid/key'], { rounds: 1 });
      await assert.rejects(
        excluded.request('m', []),
        fails('upstreamUnreachable', /ENOTFOUND|EAI_AGAIN/),
      );
      assert.equal(proxy.asked.length, 1);
    });

    it('uses HTTPS_PROXY for wss:// and https:// only', async () => {
      const proxy = await proxyTo(1);
      process.env['HTTPS_PROXY'] = proxy.url;
      for (const url of ['https://node.invalid/key', 'wss://node.invalid/key']) {
        const rpc = suite.client([url], { rounds: 1, timeoutMs: 2_000 });
        await assert.rejects(rpc.request('m', []));
      }
      assert.deepEqual(new Set(proxy.asked), new Set(['node.invalid:443']));
    });
  });

  describe('a WebSocket', () => {
    const sockets: WebSocketServer[] = [];
    afterEach(() => {
      for (const server of sockets.splice(0)) {
        for (const client of server.clients) client.terminate();
        server.close();
      }
    });
    interface Message {
      id: number;
      method: string;
      params: unknown[];
    }
    async function socketNode(
      reply: (message: Message | Message[], send: (text: string) => void, end: () => void) => void,
    ) {
      const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
      sockets.push(server);
      const headers: Record<string, unknown>[] = [];
      server.on('connection', (socket, request) => {
        headers.push(request.headers);
        socket.on('message', (data) => {
          const message = JSON.parse((data as Buffer).toString()) as Message | Message[];
          reply(message, socket.send.bind(socket), socket.terminate.bind(socket));
        });
      });
      await once(server, 'listening');
      const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/5ecr3t`;
      return { url, headers };
    }
    const echo = (message: Message | Message[]): unknown =>
      Array.isArray(message)
        ? message.map(echo).reverse()
        : { jsonrpc: '2.0', id: message.id, result: message.params[0] };

    it('carries calls and batches on one connection, with the headers', async () => {
      const node = await socketNode((message, send) => {
        send(JSON.stringify(echo(message)));
      });
      const address = { url: node.url, headers: { authorization: `Bearer ${KEY}` } };
      const rpc = suite.client([], { urls: [address] });
      const single = await Promise.all([1, 2, 3].map((one) => rpc.request('echo', [one])));
      assert.deepEqual(single, [1, 2, 3]);
      const batch = await rpc.requestAll([4, 5, 6].map((one) => ({ method: 'e', params: [one] })));
      assert.deepEqual(
        batch.map((one) => one.status === 'fulfilled' && one.value),
        [4, 5, 6],
      );
      assert.deepEqual(
        node.headers.map(({ authorization }) => authorization),
        [`Bearer ${KEY}`],
      );
    });

    it('may answer out of order, and a batch in pieces', async () => {
      const waiting: Message[] = [];
      const node = await socketNode((message, send) => {
        waiting.push(...[message].flat());
        if (waiting.length < 4) return;
        for (const one of waiting.splice(0).reverse()) send(JSON.stringify(echo(one)));
      });
      const rpc = suite.client([node.url]);
      const [one, two, batch] = await Promise.all([
        rpc.request('echo', [1]),
        rpc.request('echo', [2]),
        rpc.requestAll([3, 4].map((value) => ({ method: 'echo', params: [value] }))),
      ]);
      const values = batch.map((answered) => answered.status === 'fulfilled' && answered.value);
      assert.deepEqual([one, two, ...values], [1, 2, 3, 4]);
    });

    it('is opened again after it was cut, and the call is repeated', async () => {
      let cuts = 1;
      const node = await socketNode((message, send, end) => {
        if (cuts-- > 0) end();
        else send(JSON.stringify(echo(message)));
      });
      assert.equal(await suite.client([node.url]).request('echo', [7]), 7);
      assert.equal(node.headers.length, 2);
    });

    it('that does not open is a failure of the endpoint', async () => {
      const rpc = suite.client(['ws://127.0.0.1:9/5ecr3t'], { rounds: 1 });
      await assert.rejects(
        rpc.request('m', []),
        fails('upstreamUnreachable', /the WebSocket connection closed/),
      );
    });

    it('that does not answer leaves the deadline of the call', async () => {
      const node = await socketNode(() => undefined);
      const rpc = suite.client([node.url], { timeoutMs: 100 });
      await assert.rejects(
        rpc.request('m', []),
        fails('timedOut', /did not answer m within 0.1 s/),
      );
    });
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiClient } from '../../../server/api/client';
import { retryLostNode } from '../../../server/client/retry-lost-node';

describe('a request to a service behind a load balancer', () => {
  let server: Server;
  let answers: RequestListener[];
  let requests: number;
  beforeEach(async () => {
    answers = [];
    requests = 0;
    server = createServer((request, response) => {
      requests++;
      const answer = answers.shift() ?? ok;
      answer(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const ok: RequestListener = (_request, response) => {
    response.end(JSON.stringify({ code: 0, message: 'OK', data: [] }));
  };
  const proxy =
    (status: number): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html' }).end('<html>no server</html>');
    };
  const refusal =
    (status: number, code: number): RequestListener =>
    (_request, response) => {
      response.writeHead(status).end(JSON.stringify({ code, message: 'refused', data: null }));
    };
  const reset: RequestListener = ({ socket }) => socket.destroy();

  const client = () =>
    createApiClient(() => {
      const { port } = server.address() as AddressInfo;
      return Promise.resolve({ baseUrl: `http://127.0.0.1:${port}`, accessKey: 'x' });
    });
  const read = () =>
    retryLostNode(() => client().call('listProjects', {}), { isRead: true, pausesMs: [1, 1, 1] });
  const change = () =>
    retryLostNode(() => client().call('createProject', { body: { name: 'x' } }), {
      isRead: false,
      pausesMs: [1, 1, 1],
    });

  it('is repeated if the node is lost', async () => {
    answers = [proxy(502), proxy(503), reset];
    assert.deepEqual(await read(), []);
    assert.equal(requests, 4);
  });

  it('is repeated a bounded number of times', async () => {
    answers = [1, 2, 3, 4, 5].map(() => proxy(503));
    await assert.rejects(read(), {
      kind: 'upstreamUnreachable',
      message: 'no Forklens service answers behind the proxy (HTTP 503)',
    });
    assert.equal(requests, 4);
  });

  it('is repeated as a change only if no service can have received it', async () => {
    answers = [proxy(503), refusal(503, 50304)];
    await change();
    assert.equal(requests, 3);
    for (const lost of [proxy(502), proxy(504), reset]) {
      requests = 0;
      answers = [lost];
      await assert.rejects(change(), { kind: 'upstreamUnreachable' });
      assert.equal(requests, 1);
    }
  });

  it('is not repeated if a service answers', async () => {
    for (const [status, code] of [
      [502, 50200],
      [503, 50300],
      [429, 42902],
      [404, 40401],
    ] as const) {
      requests = 0;
      answers = [refusal(status, code)];
      await assert.rejects(read(), { code });
      assert.equal(requests, 1, String(code));
    }
  });

  it('waits for a service that refuses connections', async () => {
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const lost = createApiClient(() =>
      Promise.resolve({ baseUrl: `http://127.0.0.1:${port}`, accessKey: 'x' }),
    );
    let attempts = 0;
    const created = retryLostNode(
      () => {
        attempts++;
        if (attempts === 3) server.listen(port, '127.0.0.1');
        return lost.call('createProject', { body: { name: 'x' } });
      },
      { isRead: false, pausesMs: [1, 20, 20, 20, 20] },
    );
    await created;
    assert.ok(attempts >= 3);
  });

  it('ends when its client stops waiting', async () => {
    answers = [1, 2, 3].map(() => proxy(503));
    const stopped = new AbortController();
    const request = () => {
      stopped.abort();
      return client().call('listProjects', {});
    };
    const read = retryLostNode(request, {
      isRead: true,
      signal: stopped.signal,
      pausesMs: [60_000],
    });
    await assert.rejects(read, { kind: 'cancelled' });
  });
});

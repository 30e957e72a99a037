import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { NodeConnections, type Target } from '../../../../server/team/routing/node-connections';
import { ELSEWHERE } from '../../../../server/team/routing/node-headers';
import { passRequest, type Outcome } from '../../../../server/team/routing/pass-request';
import { WaitingTime } from '../../../../server/team/routing/waiting-time';
import { RequestBody } from '../../../../server/team/routing/request-body';
import { LIMITS } from '../../../../server/api/limits';

describe('passRequest', () => {
  const ends: (() => void)[] = [];
  let connections: NodeConnections;
  beforeEach(() => (connections = new NodeConnections('s'.repeat(64))));
  afterEach(() => {
    connections.close();
    for (const end of ends.splice(0)) end();
  });

  async function listen(listener: RequestListener): Promise<number> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  /** A node that passes requests on to another one. `outcomes` says how each request ended. */
  async function inFront(port: number) {
    const outcomes: Promise<Outcome>[] = [];
    const bodies: RequestBody[] = [];
    const target: Target = { nodeId: 'there', url: `http://127.0.0.1:${port}` };
    const front = await listen((message, response) => {
      outcomes.push(
        RequestBody.of(message).then((body) => {
          bodies.push(body);
          return passRequest(connections, target, {
            request: message,
            response,
            body,
            time: WaitingTime.afterLease(1),
          });
        }),
      );
      void outcomes.at(-1)!.then((outcome) => {
        if (!response.headersSent) response.end(outcome);
      });
    });
    return { front, outcomes, bodies };
  }
  const send = (port: number, body = '[]') =>
    request({ port, method: 'POST', path: '/x' }).end(body);
  const answerOf = async (port: number, body?: string): Promise<[IncomingMessage, string]> => {
    const [answer] = (await once(send(port, body), 'response')) as [IncomingMessage];
    return [answer, await text(answer)];
  };

  it('passes a short answer on with its status and its headers, also those that are repeated', async () => {
    const there = await listen((message, response) => {
      response.writeHead(418, { 'Content-Length': 2, 'Set-Cookie': ['a=1', 'b=2'], 'X-A': 'b' });
      response.end(`${message.headers['content-length']}!`);
    });
    const { front, outcomes } = await inFront(there);
    const [answer, body] = await answerOf(front, '[');
    assert.deepEqual([answer.statusCode, body], [418, '1!']);
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(answer.headers['x-a'], 'b');
    assert.deepEqual(await Promise.all(outcomes), ['answered']);
  });

  it('loses a request whose short answer ends too early, of which the client has seen nothing', async () => {
    const there = await listen((_, response) => {
      response.writeHead(200, { 'Content-Length': 10 });
      response.write('12345', () => response.socket?.destroy());
    });
    const { front } = await inFront(there);
    assert.equal((await answerOf(front))[1], 'lost');
  });

  it('ends the connection of a client whose long answer ends too early', async () => {
    const there = await listen((_, response) => {
      response.write('12345', () => response.socket?.destroy());
    });
    const { front, outcomes } = await inFront(there);
    await assert.rejects(answerOf(front), { code: 'ECONNRESET' });
    assert.deepEqual(await Promise.all(outcomes), ['answered']);
  });

  it('leaves a long body with the client if the node is unreachable', async () => {
    const { front, bodies } = await inFront(1);
    const long = 'x'.repeat(LIMITS.repeatedBody + 1);
    assert.equal((await answerOf(front, long))[1], 'unreachable');
    assert.equal(bodies[0]!.isAvailable, true);
  });

  it('streams a long body once, and serves the next request of the connection', async () => {
    const there = await listen((message, response) => {
      void text(message).then((body) => response.end(String(body.length)));
    });
    const { front, bodies } = await inFront(there);
    const long = 'x'.repeat(LIMITS.repeatedBody + 1);
    assert.equal((await answerOf(front, long))[1], String(long.length));
    assert.equal(bodies[0]!.isAvailable, false);
    assert.equal((await answerOf(front))[1], '2');
  });

  it('tells that the fork is elsewhere, and aborts requests to a node that is dead', async () => {
    const there = await listen((message, response) => {
      if (message.headers['x-request-id'] === undefined) response.setHeader(ELSEWHERE, '1');
      void text(message).then((body) => {
        if (body === '[]') response.writeHead(503).end();
        else connections.abandon('there');
      });
    });
    const { front } = await inFront(there);
    assert.equal((await answerOf(front))[1], 'elsewhere');
    assert.equal((await answerOf(front, 'wait'))[1], 'dead');
  });

  it('aborts the request at the node when the client disconnects', async () => {
    const client: { end?: () => void } = {};
    const closed = new Promise<void>((resolve) => {
      void listen((_, response) => {
        response.on('close', resolve);
        client.end?.();
      }).then(async (there) => {
        const { front } = await inFront(there);
        const sent = send(front);
        sent.on('error', () => undefined);
        client.end = () => sent.destroy();
      });
    });
    await closed;
  });
});

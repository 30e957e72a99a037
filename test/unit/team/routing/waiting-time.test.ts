import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LocatedFork } from '../../../../server/forks/life/ports';
import type { FindNodeOptions } from '../../../../server/team/routing/find-node';
import { NodeAttempts } from '../../../../server/team/routing/node-attempts';
import { NodeConnections } from '../../../../server/team/routing/node-connections';
import { ELSEWHERE, nodeHeaders, TIME_LEFT } from '../../../../server/team/routing/node-headers';
import { NodeRouter } from '../../../../server/team/routing/node-router';
import { WaitingTime } from '../../../../server/team/routing/waiting-time';

const SECRET = 'b'.repeat(64);
const need = { forkId: `fork_${'0'.repeat(32)}` };

const options = (find: FindNodeOptions['find']): FindNodeOptions => ({
  nodeId: 'here',
  registry: { urlOf: () => undefined, candidates: () => ['here'], place: () => undefined },
  find,
  withBlocks: () => Promise.resolve(undefined),
});
const hangs = (): Promise<never> => new Promise(() => undefined);
const ofDeadNode = (): Promise<LocatedFork> =>
  Promise.resolve({
    record: {},
    epoch: 1,
    freeIn: 3.2,
    owner: 'dead',
  } as unknown as LocatedFork);

describe('the time that a request waits for its fork', () => {
  it('is the duration of a lease and 2 s, without the work of nodes that took it', () => {
    let now = 0;
    const time = new WaitingTime(17_000, () => now);
    now = 10_000;
    const goOn = time.stop();
    now = 600_000;
    goOn();
    assert.deepEqual([time.left, time.isOver], [7_000, false]);
    const goOnAfterLease = time.stop();
    now += 600_000;
    goOnAfterLease(5_000);
    assert.equal(time.left, 2_000);
    now += 2_001;
    assert.deepEqual([time.left, time.isOver], [0, true]);
    assert.ok(Math.abs(WaitingTime.afterLease(15).left - 17_000) < 1_000);
  });

  it('ends while the database does not answer: 503 with Retry-After', async () => {
    const waiting = { need, time: new WaitingTime(20), isGone: () => false };
    const attempts = new NodeAttempts(options(hangs)).of(waiting);
    const refused = { kind: 'forkElsewhere', status: 503, retryAfter: 1 };
    await assert.rejects(attempts.next(), refused);
  });

  it('ends while a dead node has the lease, with the time until it expires', async () => {
    const waiting = { need, time: new WaitingTime(0), isGone: () => false };
    const attempts = new NodeAttempts(options(ofDeadNode)).of(waiting);
    await assert.rejects(attempts.next(), { kind: 'forkElsewhere', retryAfter: 4 });
  });

  it('goes on at the node that gets the request, which refuses it at its end', async () => {
    const connections = new NodeConnections(SECRET);
    const router = new NodeRouter({
      ...options(hangs),
      secret: SECRET,
      leaseSeconds: 3600,
      connections,
      forks: { isHere: () => false, adopt: () => undefined, forget: () => undefined },
      self: () => ({ nodeId: 'here', url: 'http://127.0.0.1:1' }),
      isDraining: () => false,
      onInternal: (error) => assert.fail(error as Error),
      isRepeatable: () => false,
      command: () => assert.fail('no command'),
    });
    const server = createServer((message, response) => {
      router.handle(message, response, () => assert.fail('served'));
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const headers = [...nodeHeaders(SECRET, 'here', '127.0.0.1'), TIME_LEFT, '20'];
      headers.push('host', `127.0.0.1:${port}`);
      const sent = request({ port, path: `/v1/fork/${need.forkId}`, headers }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      assert.deepEqual([answer.statusCode, answer.headers[ELSEWHERE]], [503, '1']);
    } finally {
      server.close();
      connections.close();
    }
  });
});

import assert from 'node:assert/strict';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LocatedFork } from '../../../../server/forks/life/ports';
import { NodeConnections } from '../../../../server/team/routing/node-connections';
import { NodeRouter } from '../../../../server/team/routing/node-router';

const SECRET = 'a'.repeat(64);
const ADDRESS = `/rpc/${'1'.repeat(32)}`;

async function listen(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Posts bytes. @returns the answer's body */
function post(port: number, body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const sent = request({ port, path: ADDRESS, method: 'POST', headers }, (response) => {
      text(response).then(resolve, reject);
    });
    sent.on('error', reject).end(body);
  });
}

describe('a request whose fork moved to another node while it was served', () => {
  const connections = new NodeConnections(SECRET);
  let here: { server: Server; port: number };
  let there: { server: Server; port: number };
  /** Bodies that the other node got. */
  let received: string[];
  /** Owner of the fork, by the time it is looked for. */
  let owners: (string | undefined)[];

  before(async () => {
    there = await listen((message, response) => {
      void text(message).then((body) => {
        received.push(body);
        response.end(`there: ${body.length}`);
      });
    });
    const router = new NodeRouter({
      nodeId: 'here',
      secret: SECRET,
      leaseSeconds: 1,
      connections,
      registry: {
        urlOf: () => `http://127.0.0.1:${there.port}`,
        candidates: () => ['here'] as const,
        place: () => undefined,
      },
      withBlocks: () => Promise.resolve(undefined),
      find: () =>
        Promise.resolve({
          record: {},
          epoch: 1,
          freeIn: 0,
          owner: owners.shift(),
        } as unknown as LocatedFork),
      forks: { isHere: () => false, adopt: () => undefined, forget: () => undefined },
      self: () => ({ nodeId: 'here', url: 'http://127.0.0.1:1' }),
      isDraining: () => false,
      onInternal: (error) => assert.fail(error as Error),
      isRepeatable: () => false,
      command: () => assert.fail('no command'),
    });
    here = await listen((message, response) => {
      router.handle(message, response, (passOn) => {
        void text(message).then((body) => {
          passOn?.(body);
        });
      });
    });
  });
  beforeEach(() => {
    received = [];
    owners = [undefined, 'there'];
  });
  after(() => {
    connections.close();
    for (const { server } of [here, there]) server.close();
  });

  it('is passed on with its body', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
    assert.equal(await post(here.port, Buffer.from(body)), `there: ${body.length}`);
    assert.deepEqual(received, [body]);
  });

  it('is passed on whole if its text was not UTF-8 and is longer once it is read', async () => {
    const body = Buffer.from([0x5b, 0xff, 0xfe, 0x5d]);
    assert.equal(await post(here.port, body), 'there: 4');
    assert.deepEqual(received, ['[\ufffd\ufffd]']);
    // The connection to the node is still usable.
    owners = [undefined, 'there'];
    assert.equal(await post(here.port, Buffer.from('[]')), 'there: 2');
  });
});

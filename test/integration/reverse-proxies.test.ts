import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import WebSocket from 'ws';
import { readEvents } from '../../server/api/event-source';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import { PROXIES, startProxy, type ReverseProxy } from '../support/reverse-proxy';
import { createFork, requestsTo, startService, type TestService } from '../support/service';

for (const kind of PROXIES) {
  const title = `a service behind ${kind.program}, as in server/deploy/${kind.file}`;
  describeWith([kind.program], title, () => {
    let service: TestService;
    let proxy: ReverseProxy;
    let front: TestService;
    before(async () => {
      const args = ['--sandbox', '--trusted-proxy', '127.0.0.0/8'];
      service = await startService({ args });
      const port = Number(new URL(service.url).port);
      // The second node is down.
      proxy = await startProxy(kind, [port, await freePort()]);
      front = { ...service, url: proxy.url, request: requestsTo(proxy.url, service.key) };
    });
    after(async () => {
      await proxy.close();
      await service.stop();
    });

    it('answers REST and JSON-RPC, at the address of the proxy', async () => {
      const fork = await createFork(front, { chainId: 31337 });
      assert.ok(fork.rpc.startsWith(`${proxy.url}/rpc/`), fork.rpc);
      assert.equal(await call(fork.rpc, 'eth_chainId'), '0x7a69');
      for (let index = 0; index < 20; index++) {
        assert.equal((await front.request('GET', '/v1/projects')).message, 'OK');
      }
      const refused = await front.request('GET', '/v1/projects', { key: null });
      assert.deepEqual([refused.status, refused.code], [401, 40100]);
    });

    it('passes WebSockets on', async () => {
      const fork = await createFork(front, { chainId: 31337 });
      const socket = new WebSocket(fork.rpc.replace('http', 'ws'));
      await once(socket, 'open');
      const received = once(socket, 'message') as Promise<[Buffer]>;
      socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}');
      const [message] = await received;
      const { result } = JSON.parse(message.toString()) as { result: string };
      assert.equal(result, await call(fork.rpc, 'eth_blockNumber'));
      socket.terminate();
    });

    it('passes events on as they happen', async () => {
      const abort = new AbortController();
      const response = await fetch(`${proxy.url}/v1/events`, {
        headers: { 'Access-Key': service.key, Accept: 'text/event-stream' },
        signal: abort.signal,
      });
      const names: string[] = [];
      const reading = (async () => {
        for await (const { name } of readEvents(response)) {
          names.push(name);
          if (name === 'change') return;
        }
      })();
      await eventually(() => {
        assert.deepEqual(names, ['ready']);
      });
      await createFork(front, { chainId: 31337 });
      await reading;
      assert.deepEqual(names, ['ready', 'change']);
      abort.abort();
    });

    it('shows the metrics to nobody', async () => {
      assert.equal((await fetch(`${proxy.url}/metrics`)).status, 404);
    });
  });
}

/** Two servers that answer every request with their number. */
async function startNumbers(): Promise<Server[]> {
  const servers = [0, 1].map((number) =>
    createServer((_, response) => response.end(String(number))).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  return servers;
}

for (const kind of PROXIES) {
  describeWith([kind.program], `two nodes behind ${kind.program}`, () => {
    let nodes: Server[];
    let proxy: ReverseProxy;
    before(async () => {
      nodes = await startNumbers();
      const [first, second] = nodes.map((node) => (node.address() as AddressInfo).port);
      proxy = await startProxy(kind, [first!, second!]);
    });
    after(async () => {
      await proxy.close();
      for (const node of nodes) node.close();
    });

    it("get the requests to a fork's address at one of them, and those of all forks at both", async () => {
      // The proxy has found both nodes: other requests alternate.
      await eventually(async () => {
        const others = await Promise.all(
          Array.from({ length: 10 }, async () => (await fetch(`${proxy.url}/v1/projects`)).text()),
        );
        assert.deepEqual(new Set(others), new Set(['0', '1']));
      });
      const used = new Set<string>();
      for (let fork = 0; fork < 16; fork++) {
        const address = `${proxy.url}/rpc/${String(fork).padStart(32, '0')}`;
        const answers = await Promise.all(
          Array.from({ length: 5 }, async () =>
            (await fetch(address, { method: 'POST', body: '{}' })).text(),
          ),
        );
        assert.equal(new Set(answers).size, 1, address);
        used.add(answers[0]!);
      }
      assert.deepEqual(used, new Set(['0', '1']));
    });
  });
}

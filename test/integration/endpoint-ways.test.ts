import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { BalanceChange } from '../../server/api/explorer';
import { startAnvil, type BareAnvil } from '../support/bare-anvil';
import { call } from '../support/json-rpc';
import { startService, type RunningService, type TestService } from '../support/service';

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

/** Each kind of connection is a part of the bundle that is only loaded when an endpoint needs it. */
describe('a service that is built', () => {
  let anvil: BareAnvil;
  let hash: string;
  let service: TestService | undefined;
  before(async () => {
    anvil = await startAnvil('--hardfork', 'prague', '--chain-id', '4242');
    const sent = { from: SENDER, to: SENDER, value: '0x5' };
    hash = await call(anvil.url, 'eth_sendTransaction', sent);
  });
  afterEach(() => service?.stop());
  after(() => anvil.stop());

  const started = async (url: string, env: Record<string, string> = {}): Promise<TestService> => {
    const chain = { slug: 'far', chainId: 4242, nativeSymbol: 'ETH', rpcUrls: [url] };
    service = await startService({ config: { chains: [chain], prices: { source: 'none' } }, env });
    return service;
  };

  async function assertAnalyzes({ request }: RunningService): Promise<void> {
    const path = `/v1/explorer/far/transaction/${hash}/balance-change`;
    const { code, message, data } = await request<BalanceChange>('GET', path);
    assert.equal(code, 0, message);
    assert.equal(data.verification?.level, 'state-proved');
  }

  it('asks an endpoint over a WebSocket', async () => {
    await assertAnalyzes(await started(anvil.url.replace('http:', 'ws:')));
  });

  it('asks an endpoint through the proxy of the environment', async () => {
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(String(request.url));
      const { hostname, port } = new URL(anvil.url);
      const node = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        node.pipe(socket).pipe(node);
      });
      node.on('error', () => socket.destroy());
      socket.on('error', () => node.destroy());
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = proxy.address() as AddressInfo;
      const HTTP_PROXY = `http://127.0.0.1:${port}`;
      await assertAnalyzes(await started('http://node.example', { HTTP_PROXY }));
      assert.deepEqual([...new Set(tunnels)], ['node.example:80']);
    } finally {
      await service?.stop();
      proxy.close();
      proxy.closeAllConnections();
    }
  });
});

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { DefiLlamaPrices } from '../../../../server/contracts/prices/defillama';
import { SourcifySources } from '../../../../server/contracts/sources/verified/sourcify-sources';
import { account, network } from '../../../support/analysis';

const NAMES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];
const TOKEN = account(0x70);

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

describe('services on the internet', () => {
  const earlier = NAMES.map((name) => [name, process.env[name]] as const);
  /** Paths that the service was asked for, and hosts to which the proxy opened tunnels. */
  let asked: string[];
  let tunnels: string[];
  const service = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end('{"coins":{}}');
  });
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    tunnels.push(String(request.url));
    const upstream = connect(portOf(service), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  before(() => Promise.all([listening(service), listening(proxy)]));
  after(() => {
    for (const server of [service, proxy]) {
      server.close();
      server.closeAllConnections();
    }
  });
  beforeEach(() => {
    for (const name of NAMES) Reflect.deleteProperty(process.env, name);
    [asked, tunnels] = [[], []];
    process.env['HTTP_PROXY'] = `http://127.0.0.1:${portOf(proxy)}`;
  });
  afterEach(() => {
    for (const [name, value] of earlier) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
  const signal = new AbortController().signal;
  const askForSource = (url: string) =>
    new SourcifySources({ url }).find({ chainId: 1 }, TOKEN, signal);
  const askForPrice = (url: string) =>
    new DefiLlamaPrices({ url }).pricesAt(
      network(),
      [TOKEN],
      { number: 1n, timestamp: 1_700_000_000 },
      signal,
    );

  for (const [what, ask] of [
    ['sources', askForSource],
    ['prices', askForPrice],
  ] as const) {
    it(`are asked for ${what} through the proxy of the environment`, async () => {
      await ask('http://service.invalid');
      assert.deepEqual(tunnels, ['service.invalid:80']);
      assert.equal(asked.length, 1);
    });

    it(`are asked for ${what} directly if NO_PROXY names them, or on this machine`, async () => {
      process.env['NO_PROXY'] = 'service.invalid';
      await ask('http://service.invalid');
      assert.equal(asked.length, 0);
      await ask(`http://127.0.0.1:${portOf(service)}`);
      assert.equal(asked.length, 1);
      assert.deepEqual(tunnels, []);
    });
  }
});

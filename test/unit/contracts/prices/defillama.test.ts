import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address } from '../../../../server/api/primitives';
import { DefiLlamaPrices } from '../../../../server/contracts/prices/defillama';
import { priceOf } from '../../../../server/contracts/prices/price-number';
import { account, network } from '../../../support/analysis';

const TOKEN = account(0x70);
const WRAPPED = account(0x71);

describe('DefiLlamaPrices', () => {
  let server: Server;
  let url: string;
  let requested: string[];
  let answer: { status: number; body: string };
  before(async () => {
    server = createServer((request, response) => {
      requested.push(request.url ?? '');
      response.writeHead(answer.status).end(answer.body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    requested = [];
    const coins = {
      'coingecko:ethereum': { price: 2920.73 },
      [`ethereum:${TOKEN}`]: { price: 1e-7 },
    };
    answer = { status: 200, body: JSON.stringify({ coins }) };
  });
  const ask = async (source: DefiLlamaPrices, assets: Address[], chainId = 1) => {
    const on = network(undefined, { chainId, wrappedNative: WRAPPED });
    const block = { number: 100n, timestamp: 1_700_000_000 };
    return [...(await source.pricesAt(on, assets, block, new AbortController().signal))];
  };

  it('requests prices at the block’s time, and each coin once', async () => {
    const source = new DefiLlamaPrices({ url: `${url}/` });
    const origin = { source: 'defillama', time: 1_700_000_000 };
    const ether = { value: 292073n, decimals: 2, ...origin };
    assert.deepEqual(await ask(source, [NATIVE_ASSET, WRAPPED, TOKEN, account(0x99)]), [
      [NATIVE_ASSET, ether],
      [WRAPPED, ether],
      [TOKEN, { value: 1n, decimals: 7, ...origin }],
    ]);
    assert.deepEqual(requested, [
      `/prices/historical/1700000000/coingecko:ethereum,ethereum:${TOKEN},ethereum:${account(0x99)}`,
    ]);
    assert.equal((await ask(source, [NATIVE_ASSET, account(0x99)])).length, 1);
    assert.equal(requested.length, 1);
  });

  it('splits many coins into several requests', async () => {
    const many = Array.from({ length: 120 }, (_, n) => account(0x1000 + n));
    await ask(new DefiLlamaPrices({ url }), many);
    assert.equal(requested.length, 3);
  });

  it('has no prices if the service fails, and queries it again later', async () => {
    let now = 0;
    const source = new DefiLlamaPrices({ url, now: () => now });
    for (const bad of [
      { status: 200, body: 'no JSON' },
      { status: 200, body: '{"coins":[{"price":"1"}]}' },
    ]) {
      answer = bad;
      assert.deepEqual(await ask(source, [NATIVE_ASSET]), []);
    }
    const good = { status: 200, body: '{"coins":{"coingecko:ethereum":{"price":1}}}' };
    answer = { status: 500, body: '' };
    assert.deepEqual(await ask(source, [NATIVE_ASSET]), []);
    answer = good;
    assert.deepEqual(
      await ask(source, [NATIVE_ASSET]),
      [],
      'no requests are sent during the pause',
    );
    now += 60_000;
    assert.equal((await ask(source, [NATIVE_ASSET])).length, 1);
  });

  it('returns the time of the price, and rejects a price of another time', async () => {
    const priced = async (timestamp: number) => {
      answer.body = JSON.stringify({ coins: { 'coingecko:ethereum': { price: 1, timestamp } } });
      return (await ask(new DefiLlamaPrices({ url }), [NATIVE_ASSET]))[0]?.[1].time;
    };
    assert.equal(await priced(1_699_999_000), 1_699_999_000);
    assert.equal(await priced(1_600_000_000), undefined);
  });

  it('reads the valid coins of an answer with invalid ones', async () => {
    answer.body = JSON.stringify({
      coins: { 'coingecko:ethereum': { price: 'much' }, [`ethereum:${TOKEN}`]: { price: 2 } },
    });
    const found = await ask(new DefiLlamaPrices({ url }), [NATIVE_ASSET, TOKEN]);
    assert.deepEqual(
      found.map(([asset]) => asset),
      [TOKEN],
    );
  });

  it('waits once for a slow service, and not beyond its time limit', async () => {
    let asked = 0;
    const silent = createServer(() => asked++).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    try {
      // Long enough for the first request to arrive on a busy machine.
      const source = new DefiLlamaPrices({ url: `http://127.0.0.1:${port}`, timeoutMs: 2_000 });
      assert.deepEqual(await ask(source, [NATIVE_ASSET]), []);
      assert.deepEqual(await ask(source, [NATIVE_ASSET]), []);
      assert.equal(asked, 1);
    } finally {
      silent.close();
      silent.closeAllConnections();
    }
  });

  it('sends no request for unknown chains', async () => {
    assert.deepEqual(await ask(new DefiLlamaPrices({ url }), [NATIVE_ASSET], 31337), []);
    assert.deepEqual(requested, []);
  });
});

describe('priceOf', () => {
  it('keeps a number exactly as written', () => {
    assert.deepEqual(priceOf(2419.7691), { value: 24197691n, decimals: 4 });
    assert.deepEqual(priceOf(1.5e-9), { value: 15n, decimals: 10 });
    assert.deepEqual(priceOf(3), { value: 3n, decimals: 0 });
    assert.deepEqual(priceOf(1.5e21), { value: 1500000000000000000000n, decimals: 0 });
  });

  it('returns undefined for zero, negative and missing numbers', () => {
    for (const number of [0, -1, NaN, Infinity, undefined])
      assert.equal(priceOf(number), undefined);
  });
});

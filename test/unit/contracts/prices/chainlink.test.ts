import assert from 'node:assert/strict';
import { AbiCoder } from 'ethers';
import type { Network } from '../../../../server/analysis/ports';
import { NATIVE_ASSET } from '../../../../server/api/explorer';
import type { Address } from '../../../../server/api/primitives';
import { ChainlinkPrices } from '../../../../server/contracts/prices/chainlink';
import { account, network, word } from '../../../support/analysis';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const NOW = 1_700_000_000;
const round = (answer: bigint, updatedAt = NOW - 60) =>
  AbiCoder.defaultAbiCoder().encode(
    ['uint80', 'int256', 'uint256', 'uint256', 'uint80'],
    [1, answer, updatedAt, updatedAt, 1],
  );
const [FEED, TOKEN, TOKEN_FEED, REGISTRY, WRAPPED] = [1, 2, 3, 4, 5].map((n) =>
  account(n + 0xf00),
) as [Address, Address, Address, Address, Address];
const ROUND = '0xfeaf968c';
const USD = '0x0000000000000000000000000000000000000348';
const feeds = new Map([[1, { native: FEED, tokens: { [TOKEN]: TOKEN_FEED } }]]);

/** Answers by `to` and selector. */
const node = (answers: Record<string, string>): Handlers => ({
  eth_call: ({ to, data }: { to: string; data: string }) =>
    answers[`${to} ${data.slice(0, 10)}`] ?? '0x',
});
const prices = async (
  handlers: Handlers,
  assets: Address[],
  table = feeds as ConstructorParameters<typeof ChainlinkPrices>[0],
  facts: Partial<Network> = {},
) => {
  const rpc = new ScriptedRpc(handlers);
  const on = network(rpc, { wrappedNative: WRAPPED, ...facts });
  const block = { number: 100n, timestamp: NOW };
  const found = await new ChainlinkPrices(table).pricesAt(
    on,
    assets,
    block,
    new AbortController().signal,
  );
  return { found: [...found], rpc };
};
const answering = node({
  [`${FEED} ${ROUND}`]: round(400_000_000_000n),
  [`${FEED} 0x313ce567`]: word(8),
  [`${TOKEN_FEED} ${ROUND}`]: round(5n),
  [`${TOKEN_FEED} 0x313ce567`]: word(18),
});

describe('ChainlinkPrices', () => {
  it('reads the feeds at the block, and the native feed also for the wrapped asset', async () => {
    const { found, rpc } = await prices(answering, [NATIVE_ASSET, WRAPPED, TOKEN, account(0x99)]);
    const origin = { source: 'chainlink', time: NOW - 60 };
    const ether = { value: 400_000_000_000n, decimals: 8, ...origin };
    assert.deepEqual(found, [
      [NATIVE_ASSET, ether],
      [WRAPPED, ether],
      [TOKEN, { value: 5n, decimals: 18, ...origin }],
    ]);
    assert.deepEqual(rpc.calls[0]?.params, [{ to: FEED, data: ROUND }, '0x64']);
    assert.equal(rpc.calls.length, 6);
  });

  it('rejects answers that are stale, not positive, or malformed', async () => {
    const one = async (answer: string, decimals: string = word(8)) =>
      (
        await prices(node({ [`${FEED} ${ROUND}`]: answer, [`${FEED} 0x313ce567`]: decimals }), [
          NATIVE_ASSET,
        ])
      ).found.length;
    assert.equal(await one(round(1n, NOW - 25 * 3600)), 1);
    assert.equal(await one(round(1n, NOW - 25 * 3600 - 1)), 0);
    assert.equal(await one(round(1n, NOW)), 1);
    assert.equal(await one(round(1n, NOW + 1)), 0);
    assert.equal(await one(round(0n)), 0);
    assert.equal(await one(round(-1n)), 0);
    assert.equal(await one('0x'), 0);
    assert.equal(await one(round(1n), '0x'), 0);
  });

  it('reads the registry for assets without a feed, or with a feed that does not answer', async () => {
    const table = new Map([[1, { native: FEED, registry: REGISTRY }]]);
    const { found } = await prices(
      node({ [`${REGISTRY} 0xbcfd032d`]: round(7n), [`${REGISTRY} 0x58e2d3a8`]: word(8) }),
      [TOKEN, NATIVE_ASSET],
      table,
    );
    const price = { value: 7n, decimals: 8, source: 'chainlink', time: NOW - 60 };
    assert.deepEqual(found, [
      [TOKEN, price],
      [NATIVE_ASSET, price],
    ]);
  });

  it('multiplies a feed in ether by the price of ether, and has the time of the older one', async () => {
    const pairs: Record<string, string> = {
      [`${NATIVE_ASSET} ${USD}`]: round(4_000n, NOW - 10),
      [`${TOKEN} ${NATIVE_ASSET}`]: round(5n, NOW - 700),
    };
    const registry: Handlers = {
      eth_call: ({ data }: { data: string }) => {
        if (data.startsWith('0x58e2d3a8')) return word(2); // decimals(address,address)
        const pair = [34, 98].map((start) => `0x${data.slice(start, start + 40)}`).join(' ');
        return pairs[pair] ?? '0x';
      },
    };
    const { found } = await prices(registry, [TOKEN], new Map([[1, { registry: REGISTRY }]]));
    assert.deepEqual(found, [
      [TOKEN, { value: 20_000n, decimals: 4, source: 'chainlink', time: NOW - 700 }],
    ]);
    pairs[`${NATIVE_ASSET} ${USD}`] = round(4_000n, NOW - 26 * 3600);
    const stale = await prices(registry, [TOKEN], new Map([[1, { registry: REGISTRY }]]));
    assert.deepEqual(stale.found, []);
  });

  it('requests a price once per block, and again if a node did not answer', async () => {
    let down = true;
    const rpc = new ScriptedRpc({
      eth_call: ({ data }: { data: string }) => {
        if (down) throw new Error('not reachable');
        return data === ROUND ? round(3n) : word(8);
      },
    });
    const source = new ChainlinkPrices(feeds);
    const ask = (number: bigint) =>
      source.pricesAt(
        network(rpc),
        [NATIVE_ASSET],
        { number, timestamp: NOW },
        new AbortController().signal,
      );
    assert.equal((await ask(1n)).size, 0);
    down = false;
    assert.equal((await ask(1n)).size, 1);
    assert.equal((await ask(1n)).size, 1);
    assert.equal(rpc.calls.length, 4);
    await ask(2n);
    assert.equal(rpc.calls.length, 6);
  });

  it('has no prices for other chains, nor from nodes without calls', async () => {
    const other = await prices(answering, [NATIVE_ASSET], feeds, { chainId: 2 });
    assert.deepEqual(other.found, []);
    assert.deepEqual(other.rpc.calls, []);
    assert.deepEqual((await prices({}, [NATIVE_ASSET])).found, []);
  });
});

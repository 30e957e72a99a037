import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import type { FlowNode, InvocationFlow } from '../../server/api/explorer';
import type { Address, Hash } from '../../server/api/primitives';
import type { StateDiff } from '../../server/api/views';
import { toWord } from '../../server/evm/forms/quantity';
import { mappingSlot, word } from '../support/analysis';
import { startService, type TestService } from '../support/service';
import { compileFixture } from '../support/solidity';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

/** Addresses of mainnet, with code of the test. */
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const FACTORY = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f';
const ROUTER = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const [DORO, PAIR, STRANGER] = ['d0', 'aa', 'bb'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address];
const SWAP = new Interface(['function swap(uint256,uint256,address,bytes)']);
const MILLION = 1_000_000n;
/** A chain that no list knows. */
const OWN_CHAIN = 424_242;

/** Places a factory, a pair and its tokens, and swaps. @returns hash of the transaction */
async function swapOn(chain: TestChain, codes: ReadonlyMap<string, string>): Promise<string> {
  const { rpc } = chain.engine;
  const place = async (
    address: Address,
    name: string,
    slots: readonly (readonly [Hash, bigint | Address])[],
  ): Promise<void> => {
    await rpc.request('anvil_setCode', [address, codes.get(name)]);
    for (const [slot, value] of slots) {
      await rpc.request('anvil_setStorageAt', [address, slot, word(value)]);
    }
  };
  await place(USDC, 'Silent', [[mappingSlot(word(PAIR), 1), 5_000n * MILLION]]);
  await place(DORO, 'Speaking', []);
  const pairOf = mappingSlot(word(DORO), mappingSlot(word(USDC), 0));
  await place(FACTORY, 'Factory', [[pairOf, PAIR]]);
  await place(PAIR, 'Pair', [
    [word(0), FACTORY],
    [word(1), USDC],
    [word(2), DORO],
    [word(3), 5_000n * MILLION + (7_000_000_000n << 112n)],
  ]);
  const data = SWAP.encodeFunctionData('swap', [2_000n * MILLION, 0, STRANGER, '0x']);
  const hash = await chain.send(ALICE, { to: PAIR, data });
  await chain.mine();
  return hash;
}

describe('well-known contracts without a look-up service', () => {
  let engines: TestEngines;
  let service: TestService;
  let hash: string;
  let ownHash: string;

  before(async function () {
    this.timeout(60_000); // the compiler is slow
    const codes = compileFixture('tokens/Silent.sol');
    engines = await testEngines();
    const [mainnet, own] = await Promise.all([
      TestChain.start(engines.start),
      TestChain.start(engines.start, OWN_CHAIN),
    ]);
    hash = await swapOn(mainnet, codes);
    ownHash = await swapOn(own, codes);
    const off = { enabled: false };
    service = await startService({
      config: {
        chains: [
          ethChain(mainnet.engine.url, { hardfork: 'prague' }),
          ethChain(own.engine.url, { hardfork: 'prague', slug: 'own', chainId: OWN_CHAIN }),
        ],
        abi: { sourcify: off, signatures: off },
        prices: { source: 'none' },
      },
    });
  });
  after(async () => {
    await service.stop();
    await engines.close();
  });

  const flow = async (chain = 'eth', of = hash) =>
    (
      await service.request<InvocationFlow>(
        'GET',
        `/v1/explorer/${chain}/transaction/${of}/invocation-flow`,
      )
    ).data;
  const stateDiff = async () =>
    (await service.request<StateDiff>('GET', `/v1/explorer/eth/transaction/${hash}/state-diff`))
      .data.stateDiff;

  /** Names and amounts of a flow, such as `transfer: 2000 USDC`. */
  const amounts = ({ dataMap }: InvocationFlow) =>
    Object.values(dataMap).flatMap((node: FlowNode) => {
      const decoded = 'event' in node ? node.event.decodedLog : node.invocation.decodedMethod;
      if (!decoded) return [];
      const params =
        'params' in decoded ? decoded.params : [...decoded.callParams, ...decoded.returnParams];
      const found = params.flatMap(({ readings = [] }) =>
        readings.map(({ amount, symbol, time }) => (amount ? `${amount} ${symbol}` : time)),
      );
      return found.length === 0 ? [] : [`${decoded.name}: ${found.join(', ')}`];
    });

  it('names a token of the list and a pair by its tokens and factory, with the sources', async () => {
    const { labels, nameSources, tokens } = await flow();
    assert.deepEqual(labels[USDC], 'USDC');
    assert.deepEqual(labels[PAIR], 'Uniswap V2 USDC/DORO pair');
    assert.deepEqual(nameSources, { [PAIR]: 'its tokens' });
    assert.deepEqual(tokens, {
      [USDC]: { symbol: 'USDC', decimals: 6, source: 'list' },
      [DORO]: { symbol: 'DORO', decimals: 9, source: 'chain' },
    });
  });

  it('reads amounts of calls, results and events in their units', async () => {
    assert.deepEqual(amounts(await flow()), [
      'swap: 2000 USDC, 0 DORO',
      'getReserves: 5000 USDC, 7 DORO, 2026-01-31T12:00:00Z',
      'transfer: 2000 USDC',
      'Transfer: 2000 USDC',
      'balanceOf: 3000 USDC',
      'Sync: 3000 USDC, 7 DORO',
    ]);
  });

  it('knows nothing from the list on a chain with another id', async () => {
    const found = await flow('own', ownHash);
    assert.equal(found.labels[USDC], undefined);
    assert.equal(found.labels[PAIR], `${USDC.slice(0, 6)}…${USDC.slice(-4)}/DORO pair`);
    assert.deepEqual(found.tokens, { [DORO]: { symbol: 'DORO', decimals: 9, source: 'chain' } });
  });

  it("puts the user's labels first", async () => {
    const body = { address: PAIR, name: 'my pool' };
    await service.request('PUT', '/v1/labels', { body });
    const { labels, nameSources } = await flow();
    assert.equal(labels[PAIR], 'my pool');
    assert.equal(nameSources, undefined);
    await service.request('DELETE', '/v1/labels', { body: { address: PAIR } });
  });

  it('names an address only where it has code', async () => {
    const facts = async (address: Address) =>
      (
        await service.request<{ name: string; token?: object }>(
          'GET',
          `/v1/explorer/eth/address/${address}`,
        )
      ).data;
    assert.equal((await facts(ROUTER)).name, '');
    assert.equal((await facts(FACTORY)).name, 'Uniswap V2 Factory');
    const usdc = await facts(USDC);
    assert.equal(usdc.name, 'USDC');
    assert.deepEqual(usdc.token, { symbol: 'USDC', decimals: 6, source: 'list' });
  });

  it('finds the keys of balances again, and shows the balances in units', async () => {
    const { accounts } = await stateDiff();
    const usdc = accounts.find(({ address }) => address === USDC);
    const found = Object.fromEntries(
      usdc?.storage.map(({ slot, found: one }) => [slot, one]) ?? [],
    );
    const unit = { asset: USDC, symbol: 'USDC' };
    assert.deepEqual(found[mappingSlot(word(STRANGER), 1)], {
      name: `mapping@1[${STRANGER}]`,
      type: 'uint256',
      before: '0',
      after: '2000000000',
      amount: { ...unit, before: '0', after: '2000', change: '2000' },
    });
    assert.deepEqual(found[mappingSlot(word(PAIR), 1)]?.amount, {
      ...unit,
      before: '5000',
      after: '3000',
      change: '-2000',
    });
    const pair = accounts.find(({ address }) => address === PAIR);
    assert.deepEqual(pair?.storage, [
      {
        slot: toWord(3),
        before: word(5_000n * MILLION + (7_000_000_000n << 112n)),
        after: word(3_000n * MILLION + (7_000_000_000n << 112n)),
      },
    ]);
  });
});

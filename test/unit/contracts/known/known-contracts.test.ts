import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { keccak256 } from 'ethers';
import type { Contract, IdentifyRequest, TokenFacts } from '../../../../server/analysis/ports';
import type { Address, Hash, Hex } from '../../../../server/api/primitives';
import { DEFAULT_CHAINS } from '../../../../server/chains/registry/default-chains';
import type { KnownContractList } from '../../../../server/contracts/known/contract-list';
import { KnownContracts } from '../../../../server/contracts/known/known-contracts';
import { ListedContracts } from '../../../../server/contracts/known/listed-contracts';
import { ListedTokens } from '../../../../server/contracts/known/listed-tokens';
import { account, network } from '../../../support/analysis';

const FILE = path.join(__dirname, '../../../../server/contracts/known/known-contracts.json');
const list = JSON.parse(readFileSync(FILE, 'utf8')) as KnownContractList;
const shipped = (): KnownContracts => new KnownContracts(() => Promise.resolve(list));
const MAINNET = network(undefined, { chainId: 1 });
const NEVER = new AbortController().signal;
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const V2_ROUTER = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d';
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';

describe('known-contracts.json', () => {
  it('contains lower-case addresses with a name, and a source that is listed', () => {
    const contracts = Object.values(list.chains).map((chain) => chain!.contracts);
    for (const group of [list.everywhere, ...contracts]) {
      for (const [address, listed] of Object.entries(group)) {
        const [name, source, codeHash] = listed!;
        assert.match(address, /^0x[0-9a-f]{40}$/);
        assert.match(name, /^[\x20-\x7e]{2,48}$/, address);
        assert.ok(list.sources[source], address);
        if (codeHash !== undefined) assert.match(codeHash, /^0x[0-9a-f]{64}$/, address);
      }
    }
  });

  it('contains tokens of configured chains with symbols and decimals', () => {
    const chainIds = new Set(DEFAULT_CHAINS.map(({ chainId }) => String(chainId)));
    for (const [chainId, chain] of Object.entries(list.chains)) {
      assert.ok(chainIds.has(chainId), chainId);
      for (const [address, listed] of Object.entries(chain!.tokens)) {
        const [symbol, decimals, source] = listed!;
        assert.match(address, /^0x[0-9a-f]{40}$/);
        assert.match(symbol, /^[\x21-\x7e]{1,32}$/, address);
        assert.ok(Number.isInteger(decimals) && decimals >= 0 && decimals <= 36, address);
        assert.ok(list.sources[source], address);
      }
    }
  });

  it('contains the wrapped native token of every configured chain that it has one of', () => {
    for (const { chainId, wrappedNative, slug } of DEFAULT_CHAINS) {
      const listed = wrappedNative && list.chains[chainId]?.tokens[wrappedNative];
      if (listed) assert.equal(listed[1], 18, slug);
    }
    assert.equal(list.chains['1']?.tokens[WETH]?.[0], 'WETH');
  });
});

describe('KnownContracts', () => {
  const known = shipped();
  const names = async (chainId: number, codes: [Address, Hex | true][]) =>
    Object.fromEntries(await known.namesOf(network(undefined, { chainId }), new Map(codes)));

  it('names contracts of the chain, with their source', async () => {
    assert.deepEqual(
      await names(1, [
        [V2_ROUTER, '0x60'],
        [PERMIT2, true],
        [account(1), '0x60'],
      ]),
      {
        [V2_ROUTER]: { name: 'Uniswap V2 Router', source: '@uniswap/sdk-core@7.19.4' },
        [PERMIT2]: { name: 'Permit2', source: 'Uniswap documentation, deployments' },
      },
    );
  });

  it('names nothing without code, and no delegating account', async () => {
    const delegated: Hex = `0xef0100${'11'.repeat(20)}`;
    assert.deepEqual(
      await names(1, [
        [V2_ROUTER, '0x'],
        [PERMIT2, delegated],
      ]),
      {},
    );
  });

  it('names nothing on other chains, such as the sandbox', async () => {
    assert.deepEqual(await names(31_337, [[PERMIT2, '0x60']]), {});
    assert.deepEqual(await names(8_453, [[V2_ROUTER, '0x60']]), {});
  });

  it('compares the code where its hash is published', async () => {
    const code: Hex = '0x6001';
    const made = new KnownContracts(() =>
      Promise.resolve({
        sources: ['test'],
        everywhere: { [account(1)]: ['Safe 9', 0, keccak256(code) as Hash] },
        chains: { '1': { contracts: {}, tokens: {} } },
      }),
    );
    const of = async (own: Hex | true) =>
      [...(await made.namesOf(MAINNET, new Map([[account(1), own]]))).values()].map(
        ({ name }) => name,
      );
    assert.deepEqual(await of(code), ['Safe 9']);
    assert.deepEqual(await of('0x6002'), []);
    assert.deepEqual(await of(true), []);
  });

  it('knows nothing if the build made no list', async () => {
    const none = new KnownContracts(() => Promise.resolve(undefined));
    assert.equal((await none.namesOf(MAINNET, new Map([[PERMIT2, '0x60']]))).size, 0);
    assert.equal(await none.token(MAINNET, WETH), undefined);
  });
});

describe('ListedTokens', () => {
  async function facts(own: [Address, TokenFacts][], chainId = 1) {
    const chain = { factsOf: () => Promise.resolve(new Map(own)) };
    const tokens = new ListedTokens(chain, shipped());
    const on = network(undefined, { chainId });
    const found = await tokens.factsOf(on, [WETH, USDC, USDT, account(1)], 100n, NEVER);
    return Object.fromEntries(found);
  }

  it('adds what a token does not answer, marked as listed', async () => {
    assert.deepEqual(await facts([[USDT, { symbol: 'USD₮' }]]), {
      [WETH]: { symbol: 'WETH', decimals: 18, isListed: true },
      [USDC]: { symbol: 'USDC', decimals: 6, isListed: true },
      [USDT]: { symbol: 'USD₮', decimals: 6, isListed: true },
    });
  });

  it("leaves a token's own answers as they are", async () => {
    const own: TokenFacts = { symbol: 'mine', decimals: 18 };
    const found = await facts([[WETH, own]]);
    assert.deepEqual(found[WETH], own);
  });

  it('believes neither side where a token answers other decimals than the list', async () => {
    const found = await facts([
      [WETH, { symbol: 'mine', decimals: 2 }],
      [USDC, { decimals: 18 }],
      [account(1), { decimals: 3 }],
    ]);
    assert.deepEqual(found[WETH], { symbol: 'mine', disputedDecimals: { own: 2, listed: 18 } });
    assert.deepEqual(found[USDC], {
      symbol: 'USDC',
      isListed: true,
      disputedDecimals: { own: 18, listed: 6 },
    });
    assert.deepEqual(found[account(1)], { decimals: 3 });
  });

  it('adds nothing on a chain without a list', async () => {
    assert.deepEqual(await facts([], 31_337), {});
  });
});

describe('ListedContracts', () => {
  const V2_FACTORY = '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f';
  async function names(contracts: [Address, Contract][], chainId = 1) {
    const found = { contracts: new Map(contracts), creations: new Map(), signatures: [] };
    const sources = { identify: () => Promise.resolve(found) };
    const on = network(undefined, { chainId });
    const request: IdentifyRequest = {
      addresses: new Set(),
      deployed: new Map(),
      initCodes: new Set(),
      selectors: new Set(),
      topics: new Set(),
      block: { number: 1n, hash: `0x${'00'.repeat(32)}` },
    };
    const known = await new ListedContracts(sources, shipped()).identify(on, request, NEVER);
    return [...known.contracts.values()].map(({ name }) => name);
  }
  const named = (name: string, chainId?: number): Promise<(string | undefined)[]> =>
    names([[account(1), { name }]], chainId);

  it('marks a name that looks like a listed contract or token at another address', async () => {
    const imitations = [
      'Uniswap V2 Factory',
      'UniswapV2Factory',
      'UniswapV2Router02',
      'Permit2',
      'Permit 2',
      'Unisw\u0430pV2F\u0430ctory',
      'Seaport',
      'Seaport1_6',
      'EntryPoint',
      'USDC',
      'U\u0405DC',
    ];
    for (const name of imitations) {
      assert.deepEqual(await named(name), [`unlisted ${name}`]);
      assert.deepEqual(await named(name, 31_337), [`unlisted ${name}`]);
    }
  });

  it('leaves names of their own, words among them', async () => {
    for (const name of ['Vault', 'Auction', 'Permit3', 'Multicall', 'T', 'Pool', 'WETH9', '']) {
      assert.deepEqual(await named(name), [name]);
    }
  });

  it('leaves names that the user gave', async () => {
    assert.deepEqual(await names([[account(1), { name: 'Permit2', isNameGiven: true }]]), [
      'Permit2',
    ]);
  });

  it('leaves listed contracts, and what they delegate to', async () => {
    const listed: [Address, Contract][] = [
      [V2_FACTORY, { name: 'UniswapV2Factory' }],
      [PERMIT2, { name: 'Permit2' }],
      [USDC, { name: 'USDC', implementation: account(2) }],
      [account(2), { name: 'USDC' }],
      [account(3), {}],
    ];
    assert.deepEqual(await names(listed), [
      'UniswapV2Factory',
      'Permit2',
      'USDC',
      'USDC',
      undefined,
    ]);
    assert.deepEqual(await names(listed.slice(0, 2), 8453), [
      'unlisted UniswapV2Factory',
      'Permit2',
    ]);
  });
});

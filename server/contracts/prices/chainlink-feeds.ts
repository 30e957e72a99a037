import type { Address } from '../../api/primitives';

/** Sources of a chain's prices in USD: aggregators of Chainlink, or contracts of the same shape. */
export interface ChainFeeds {
  /** Feed of the native asset and its wrapped form. */
  readonly native?: Address;
  readonly tokens?: Readonly<Record<Address, Address>>;
  /** Chainlink's feed registry, which contains the feeds of many tokens. */
  readonly registry?: Address;
  /** Tokens whose identifier in the registry is not their address. */
  readonly registryNames?: Readonly<Record<Address, Address>>;
}

/** By chain id. Source: Chainlink's public list of price feeds. */
export const CHAINLINK_FEEDS: ReadonlyMap<number, ChainFeeds> = new Map([
  [
    1,
    {
      native: '0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419',
      registry: '0x47fb2585d2c56fe188d0e6ec628a38b74fceeedf',
      registryNames: {
        '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599': '0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', // WBTC as bitcoin
      },
      tokens: {
        '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48': '0x8fffffd4afb6115b954bd326cbe7b4ba576818f6', // USDC
        '0xdac17f958d2ee523a2206206994597c13d831ec7': '0x3e7d1eab13ad0104d2750b8863b489d65364e32d', // USDT
        '0x6b175474e89094c44da98b954eedeac495271d0f': '0xaed0c38402a5d19df6e4c03f4e2dced6e29c1ee9', // DAI
      },
    },
  ],
  [10, { native: '0x13e3ee699d1909e989722e753853ae30b17e08c5' }],
  [56, { native: '0x0567f2323251f0aab15c8dfb1967e4e8a7d42aee' }],
  [100, { native: '0x678df3415fc31947da4324ec63212874be5a82f8' }],
  [137, { native: '0xab594600376ec9fd91f8e885dadf0ce036862de0' }],
  [8_453, { native: '0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70' }],
  [42_161, { native: '0x639fe6ab55c921f74e7fac1ee960c0b6293ba612' }],
  [43_114, { native: '0x0a77230d17318075983913bc2145db16c7366156' }],
] satisfies [number, ChainFeeds][]);

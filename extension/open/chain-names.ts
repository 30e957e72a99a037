import type { KnownChain } from './meaning';

/** Chain ids by the names that explorers, links and address prefixes use (EIP-3770 and common usage). */
const IDS: Readonly<Record<string, number>> = {
  eth: 1,
  ethereum: 1,
  mainnet: 1,
  homestead: 1,
  sepolia: 11_155_111,
  sep: 11_155_111,
  holesky: 17_000,
  hoodi: 560_048,
  op: 10,
  oeth: 10,
  optimism: 10,
  'op-mainnet': 10,
  optimistic: 10,
  arb: 42_161,
  arb1: 42_161,
  arbitrum: 42_161,
  'arbitrum-one': 42_161,
  'arbitrum-nova': 42_170,
  base: 8453,
  'base-sepolia': 84_532,
  polygon: 137,
  matic: 137,
  pol: 137,
  bsc: 56,
  bnb: 56,
  binance: 56,
  gnosis: 100,
  gno: 100,
  xdai: 100,
  avax: 43_114,
  avalanche: 43_114,
  linea: 59_144,
  scroll: 534_352,
  blast: 81_457,
  mantle: 5000,
  celo: 42_220,
  zksync: 324,
  era: 324,
  fantom: 250,
  ftm: 250,
  unichain: 130,
  sonic: 146,
};

/**
 * The slug of the chain that a text names: a slug itself, a well-known name or a chain id.
 * @returns undefined if no chain of the service is meant
 */
export function chainNamed(text: string, chains: readonly KnownChain[]): string | undefined {
  const name = text.toLowerCase();
  const exact = chains.find(({ slug }) => slug === name);
  if (exact !== undefined) return exact.slug;
  const id = /^[1-9]\d{0,14}$/.test(name) ? Number(name) : IDS[name];
  return id === undefined ? undefined : chainOfId(id, chains);
}

export const chainOfId = (id: number, chains: readonly KnownChain[]): string | undefined =>
  chains.find(({ chainId }) => chainId === id)?.slug;

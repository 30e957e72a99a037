/** Explorers' hosts, without `www.`, by the short name of their chain. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  eth: ['etherscan.io', 'eth.blockscout.com', 'ethplorer.io', 'beaconcha.in'],
  sepolia: ['sepolia.etherscan.io', 'eth-sepolia.blockscout.com'],
  hoodi: ['hoodi.etherscan.io', 'eth-hoodi.blockscout.com'],
  base: ['basescan.org', 'base.blockscout.com'],
  'base-sepolia': ['sepolia.basescan.org', 'base-sepolia.blockscout.com'],
  optimism: ['optimistic.etherscan.io', 'optimism.blockscout.com', 'explorer.optimism.io'],
  'optimism-sepolia': ['sepolia-optimism.etherscan.io', 'optimism-sepolia.blockscout.com'],
  arbitrum: ['arbiscan.io', 'arbitrum.blockscout.com'],
  'arbitrum-nova': ['nova.arbiscan.io', 'arbitrum-nova.blockscout.com'],
  'arbitrum-sepolia': ['sepolia.arbiscan.io', 'arbitrum-sepolia.blockscout.com'],
  polygon: ['polygonscan.com', 'polygon.blockscout.com'],
  bsc: ['bscscan.com'],
  opbnb: ['opbnb.bscscan.com', 'opbnbscan.com'],
  avalanche: ['snowtrace.io', 'snowscan.xyz', 'avascan.info'],
  gnosis: ['gnosisscan.io', 'gnosis.blockscout.com'],
  linea: ['lineascan.build', 'explorer.linea.build'],
  unichain: ['uniscan.xyz', 'unichain.blockscout.com'],
  scroll: ['scrollscan.com', 'scroll.blockscout.com'],
  zksync: ['explorer.zksync.io', 'era.zksync.network', 'zksync.blockscout.com'],
  mantle: ['mantlescan.xyz', 'explorer.mantle.xyz'],
  blast: ['blastscan.io', 'blast.blockscout.com'],
  celo: ['celoscan.io', 'celo.blockscout.com'],
  sonic: ['sonicscan.org'],
  berachain: ['berascan.com'],
  ink: ['explorer.inkonchain.com'],
  soneium: ['soneium.blockscout.com'],
  mode: ['modescan.io', 'explorer.mode.network'],
  zora: ['explorer.zora.energy'],
};

const CHAINS: ReadonlyMap<string, string> = new Map(
  Object.entries(HOSTS).flatMap(([chain, hosts]) => hosts.map((host) => [host, chain])),
);

/** Hosts that show several chains, whose name or id is in the path or in `chainid`. */
const SHARED_HOSTS: ReadonlySet<string> = new Set([
  'blockchair.com',
  'app.blocksec.com',
  'dashboard.tenderly.co',
  'oklink.com',
  'routescan.io',
]);

/** What these hosts call a chain, by its short name. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  eth: ['1', 'eth', 'ethereum', 'mainnet'],
  sepolia: ['11155111', 'sepolia'],
  base: ['8453', 'base'],
  optimism: ['10', 'optimism', 'optimistic'],
  arbitrum: ['42161', 'arbitrum', 'arbitrum-one'],
  polygon: ['137', 'polygon', 'matic'],
  bsc: ['56', 'bsc', 'bnb'],
  avalanche: ['43114', 'avalanche', 'avax', 'avaxc'],
  gnosis: ['100', 'gnosis', 'gnosis-chain', 'xdai'],
  linea: ['59144', 'linea'],
};
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([chain, names]) => names.map((name) => [name, chain])),
);

const withoutWww = (host: string): string => host.toLowerCase().replace(/^www\./, '');

/** Short name of the chain that an explorer shows; undefined if the host is not known, or shows several. */
export const chainOfHost = (host: string): string | undefined => CHAINS.get(withoutWww(host));

/** Short name of the chain that a page of an explorer shows; undefined if that is not known. */
export function chainOfPage({ hostname, pathname, searchParams }: URL): string | undefined {
  if (!SHARED_HOSTS.has(withoutWww(hostname))) return chainOfHost(hostname);
  const given = [...pathname.split('/'), searchParams.get('chainid') ?? ''];
  return given.map((name) => NAMED.get(name.toLowerCase())).find((chain) => chain !== undefined);
}

/** Whether it is the short name of a chain whose explorers are known. */
export const hasExplorer = (chain: string): boolean => Object.hasOwn(HOSTS, chain);

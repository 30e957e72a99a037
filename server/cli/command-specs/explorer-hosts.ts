/** Explorers' hosts, without `www.`, by the short name of their chain. */
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  eth: ['etherscan.io', 'eth.blockscout.com', 'ethplorer.io'],
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
  avalanche: ['snowtrace.io', 'snowscan.xyz'],
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

/** Short name of the chain that an explorer shows; undefined if the host is not known. */
export const chainOfHost = (host: string): string | undefined =>
  CHAINS.get(host.toLowerCase().replace(/^www\./, ''));

/** Whether it is the short name of a chain whose explorers are known. */
export const hasExplorer = (chain: string): boolean => Object.hasOwn(HOSTS, chain);

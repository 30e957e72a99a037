import type { Hex } from '../../server/api/primitives';
import { chainNamed, chainOfId } from './chain-names';
import { onChain, type KnownChain, type Meaning } from './meaning';

/** Chain ids by the hosts of explorers of one chain. */
const HOSTS: Readonly<Record<string, number>> = {
  'etherscan.io': 1,
  'eth.blockscout.com': 1,
  'ethplorer.io': 1,
  'beaconcha.in': 1,
  'sepolia.etherscan.io': 11_155_111,
  'eth-sepolia.blockscout.com': 11_155_111,
  'holesky.etherscan.io': 17_000,
  'hoodi.etherscan.io': 560_048,
  'optimistic.etherscan.io': 10,
  'optimism.blockscout.com': 10,
  'explorer.optimism.io': 10,
  'arbiscan.io': 42_161,
  'arbitrum.blockscout.com': 42_161,
  'nova.arbiscan.io': 42_170,
  'basescan.org': 8453,
  'base.blockscout.com': 8453,
  'sepolia.basescan.org': 84_532,
  'polygonscan.com': 137,
  'polygon.blockscout.com': 137,
  'bscscan.com': 56,
  'gnosisscan.io': 100,
  'gnosis.blockscout.com': 100,
  'snowtrace.io': 43_114,
  'snowscan.xyz': 43_114,
  'lineascan.build': 59_144,
  'scrollscan.com': 534_352,
  'scroll.blockscout.com': 534_352,
  'blastscan.io': 81_457,
  'mantlescan.xyz': 5000,
  'celoscan.io': 42_220,
  'celo.blockscout.com': 42_220,
  'explorer.zksync.io': 324,
  'era.zksync.network': 324,
  'zksync.blockscout.com': 324,
  'ftmscan.com': 250,
  'uniscan.xyz': 130,
  'unichain.blockscout.com': 130,
  'sonicscan.org': 146,
};
const BLOCK_PAGES = new Set(['block', 'blocks', 'countdown']);
const CHAIN_FIELDS = ['chain', 'network', 'chainid', 'chainId'];
const VALUE_FIELDS = ['tx', 'txhash', 'hash', 'transaction', 'address'];

/**
 * Reads the link of a page about a transaction, an address or a block. The page's address says which, so any explorer with the usual
 * paths (`/tx/…`, `/address/…`, `/token/…`, `/block/…`) is understood; the chain is known for those of `HOSTS`, those of the configured
 * chains, and those that name it in the path.
 * @returns undefined for anything else
 */
export function readExplorerLink(text: string, chains: readonly KnownChain[]): Meaning | undefined {
  const url = urlOf(text);
  if (url === undefined) return undefined;
  const parts = [...url.pathname.split('/'), ...routeOf(url.hash)].filter((part) => part !== '');
  let chain = chainOfHost(url, chains) ?? chainOfFields(url, chains);
  let meaning: Meaning | undefined;
  let before = '';
  for (const part of parts) {
    const page = BLOCK_PAGES.has(before);
    const read = valueOf(part, page);
    if (read !== undefined) meaning ??= read;
    else if (!page) chain ??= chainNamed(part, chains);
    before = part.toLowerCase();
  }
  const fields = VALUE_FIELDS.flatMap((name) => url.searchParams.get(name) ?? []);
  meaning ??= fields.map((field) => valueOf(field, false)).find((one) => one !== undefined);
  return meaning === undefined ? undefined : onChain(meaning, chain);
}

function urlOf(text: string): URL | undefined {
  const withScheme = /^[a-z0-9-]+(\.[a-z0-9-]+)+\/\S+$/i.test(text) ? `https://${text}` : text;
  if (!/^(https?|vscode|vscode-insiders|vscodium):\/\/\S+$/i.test(withScheme)) return undefined;
  try {
    return new URL(withScheme);
  } catch {
    return undefined;
  }
}

/** Pages of one document have their path after `#/`. */
const routeOf = (hash: string): string[] => (hash.startsWith('#/') ? hash.split('/').slice(1) : []);

function valueOf(part: string, isBlock: boolean): Meaning | undefined {
  const value = part.toLowerCase() as Hex;
  if (/^0x[0-9a-f]{64}$/.test(value)) {
    return isBlock ? { kind: 'block', block: value } : { kind: 'transaction', hash: value };
  }
  if (/^0x[0-9a-f]{40}$/.test(value)) return { kind: 'address', address: value };
  return isBlock && /^\d{1,15}$/.test(value) ? { kind: 'block', block: value } : undefined;
}

function chainOfHost(url: URL, chains: readonly KnownChain[]): string | undefined {
  const host = url.host.replace(/^www\./, '');
  const own = chains.find(({ blockExplorerUrl }) => hostOf(blockExplorerUrl) === host);
  const id = HOSTS[host];
  return own?.slug ?? (id === undefined ? undefined : chainOfId(id, chains));
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host.replace(/^www\./, '');
}

function chainOfFields(url: URL, chains: readonly KnownChain[]): string | undefined {
  const named = CHAIN_FIELDS.flatMap((name) => url.searchParams.get(name) ?? []);
  return named.map((name) => chainNamed(name, chains)).find((slug) => slug !== undefined);
}

import type { ExplorerPage } from '../../media/inspector/protocol';

const PATHS = { transaction: 'tx', address: 'address', block: 'block' } as const;
const IDS = {
  transaction: /^0x[0-9a-f]{64}$/,
  address: /^0x[0-9a-f]{40}$/,
  block: /^\d+$/,
} as const;

/** URL of a page of the block explorer, by the paths that Etherscan, Blockscout and their like share; undefined for an odd id. */
export function explorerUrl(base: string, { kind, id }: ExplorerPage): string | undefined {
  return IDS[kind].test(id) ? `${base.replace(/\/+$/, '')}/${PATHS[kind]}/${id}` : undefined;
}

import type { ExplorerPage } from '../../media/inspector/protocol/protocol';

const PATHS = { transaction: 'tx', address: 'address', block: 'block' } as const;
const IDS = {
  transaction: /^0x[0-9a-f]{64}$/,
  address: /^0x[0-9a-f]{40}$/,
  block: /^\d+$/,
} as const;

/** URL of a block explorer's page, with the paths that Etherscan, Blockscout and similar explorers share; undefined for an invalid id. */
export function explorerUrl(base: string, { kind, id }: ExplorerPage): string | undefined {
  return IDS[kind].test(id) ? `${base.replace(/\/+$/, '')}/${PATHS[kind]}/${id}` : undefined;
}

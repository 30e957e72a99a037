import type { ApiCallOptions, ApiClient } from '../api/client';
import type { Fork } from '../api/fork';
import type { LeftAccount, OtherBlock } from '../api/reorder';
import { forkRpc } from './fork-rpc';

/** Project, chain and name of the fork, and the block whose state it gets. */
export interface OtherBlockFork {
  readonly projectId: string;
  /** Slug of a chain. */
  readonly chain: string;
  readonly name: string;
  /** With its state. */
  readonly other: Pick<OtherBlock, 'blockNumber' | 'state'>;
}

/**
 * Creates a fork after a block, and gives it the state that the other block leaves. Its blocks and receipts are those of the chain.
 * @throws ApiError; ForkRpcError
 */
export async function forkOtherBlock(
  client: ApiClient,
  { projectId, chain, name, other }: OtherBlockFork,
  { signal, ...options }: ApiCallOptions & { signal: AbortSignal },
): Promise<Fork> {
  const chains = await client.call('listChains', {}, { signal });
  const chainId = chains.find(({ slug }) => slug === chain)?.chainId ?? 0;
  const height = String(other.blockNumber);
  const params = { project_id: projectId };
  const body = { chainId, chain, name, height };
  const fork = await client.call('createFork', { params, body }, { ...options, signal });
  for (const [method, params] of (other.state ?? []).flatMap(callsFor)) {
    await forkRpc(fork, method, params, signal);
  }
  return fork;
}

function callsFor({ address, balance, nonce, code, slots }: LeftAccount): [string, unknown[]][] {
  const calls: [string, unknown[]][] = [];
  if (balance !== undefined) calls.push(['anvil_setBalance', [address, balance]]);
  if (nonce !== undefined) calls.push(['anvil_setNonce', [address, nonce]]);
  if (code !== undefined) calls.push(['anvil_setCode', [address, code]]);
  for (const [slot, value] of Object.entries(slots)) {
    calls.push(['anvil_setStorageAt', [address, slot, value]]);
  }
  return calls;
}

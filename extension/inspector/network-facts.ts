import type { ForkOrigin, HostContext } from '../../media/inspector/protocol/protocol';
import type { ApiClient } from '../model/api-client';
import { listAllForks } from '../ui/pickers';

/** Facts about the chain or fork of an analysis. */
export interface NetworkFacts {
  /** Base URL of the chain's block explorer, if it has one. */
  explorer?: string;
  /** Set if the analysis is on a fork. */
  fork?: ForkOrigin;
}

/** @param chain slug of a chain or id of a fork @returns an empty object if nothing can be read */
export async function networkFactsOf(
  client: ApiClient,
  chain: string,
  signal: AbortSignal,
): Promise<NetworkFacts> {
  try {
    return chain.startsWith('fork_')
      ? await forkFacts(client, chain, signal)
      : await chainFacts(client, chain, signal);
  } catch {
    return {};
  }
}

async function chainFacts(
  client: ApiClient,
  slug: string,
  signal: AbortSignal,
): Promise<NetworkFacts> {
  const chains = await client.call('listChains', {}, { signal });
  const explorer = chains.find((chain) => chain.slug === slug)?.blockExplorerUrl;
  return explorer === undefined ? {} : { explorer };
}

async function forkFacts(
  client: ApiClient,
  forkId: string,
  signal: AbortSignal,
): Promise<NetworkFacts> {
  const forks = await listAllForks(client, signal);
  const found = forks.find(({ fork }) => fork.forkId === forkId)?.fork;
  if (!found) return {};
  const { name, chain, height, position } = found;
  return { fork: { name, chain, blockNumber: Number(height), position } };
}

export function hostContextOf(
  { explorer, fork }: NetworkFacts,
  actions: HostContext['actions'],
): HostContext {
  return {
    hasExplorer: explorer !== undefined,
    ...(fork && { fork }),
    actions,
  };
}

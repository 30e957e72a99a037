import type { ForkPlace, Surroundings } from '../../media/inspector/protocol/protocol';
import type { ApiClient } from '../model/api-client';
import { listAllForks } from '../ui/pickers';

/** Facts about the chain or fork of an analysis. */
export interface Place {
  /** Base URL of the chain's block explorer, if it has one. */
  explorer?: string;
  /** Set if the analysis is on a fork. */
  fork?: ForkPlace;
}

/** @param chain slug of a chain or id of a fork @returns an empty object if nothing can be read */
export async function placeOf(
  client: ApiClient,
  chain: string,
  signal: AbortSignal,
): Promise<Place> {
  try {
    return chain.startsWith('fork_')
      ? await forkPlace(client, chain, signal)
      : await chainPlace(client, chain, signal);
  } catch {
    return {};
  }
}

async function chainPlace(client: ApiClient, slug: string, signal: AbortSignal): Promise<Place> {
  const chains = await client.call('listChains', {}, { signal });
  const explorer = chains.find((chain) => chain.slug === slug)?.blockExplorerUrl;
  return explorer === undefined ? {} : { explorer };
}

async function forkPlace(client: ApiClient, forkId: string, signal: AbortSignal): Promise<Place> {
  const forks = await listAllForks(client, signal);
  const found = forks.find(({ fork }) => fork.forkId === forkId)?.fork;
  if (!found) return {};
  const { name, chain, height, position } = found;
  return { fork: { name, chain, blockNumber: Number(height), position } };
}

export function surroundingsOf(
  { explorer, fork }: Place,
  actions: Surroundings['actions'],
): Surroundings {
  return {
    hasExplorer: explorer !== undefined,
    ...(fork && { fork }),
    actions,
  };
}

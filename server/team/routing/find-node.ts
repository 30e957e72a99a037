import type { LocatedFork } from '../../forks/life/ports';
import type { NodeRegistry } from '../cluster/node-registry';
import type { Need } from './fork-of-request';
import type { Target } from './node-connections';

/**
 * Which node serves a request:
 * - `here`: this one; `fork` is what the store knows, undefined if there is no such fork
 * - a target: another one
 * - `nobody`: the node that has the lease does not answer; `freeIn` seconds until the lease expires
 */
export type Place =
  | { kind: 'here'; fork?: LocatedFork | undefined }
  | { kind: 'there'; target: Target }
  | { kind: 'nobody'; freeIn: number };

export interface FindNodeOptions {
  nodeId: string;
  registry: Pick<NodeRegistry, 'urlOf' | 'candidates' | 'place'>;
  find: (key: { forkId: string } | { secret: string }) => Promise<LocatedFork | undefined>;
  /** The first of these nodes that has blocks of a chain in its cache; undefined if none has, or answers soon. */
  withBlocks: (chainId: number, nodeIds: readonly string[]) => Promise<string | undefined>;
}

/**
 * Finds the node that runs a fork, or chooses one for a fork that no node runs.
 * @param refused nodes that refused the request
 * @param chainId chain id of a new fork; a node that has blocks of this chain is preferred
 * @throws ApiError databaseUnavailable
 */
export async function findNode(
  options: FindNodeOptions,
  need: Need,
  refused: ReadonlySet<string>,
  chainId?: number,
): Promise<Place> {
  const { nodeId, registry, find } = options;
  const fork = need === 'room' ? undefined : await find(need);
  if (need !== 'room' && !fork) return { kind: 'here' };
  const { owner, freeIn = 0 } = fork ?? {};
  const chosen = owner ?? (await choose(options, refused, fork, chainId));
  if (chosen === nodeId) return { kind: 'here', fork };
  const url = registry.urlOf(chosen);
  return url === undefined
    ? { kind: 'nobody', freeIn }
    : { kind: 'there', target: { nodeId: chosen, url } };
}

async function choose(
  { registry, withBlocks }: FindNodeOptions,
  refused: ReadonlySet<string>,
  fork: LocatedFork | undefined,
  chainId = fork?.record.chainId,
): Promise<string> {
  const candidates = () => registry.candidates(refused, fork?.lastOwner);
  let equals = candidates();
  let preferred: string | undefined;
  if (chainId !== undefined && equals.length > 1) {
    preferred = await withBlocks(chainId, equals);
    // Other requests may have been given a node by now.
    equals = candidates();
  }
  const chosen = equals.find((node) => node === preferred) ?? equals[0];
  registry.place(chosen);
  return chosen;
}

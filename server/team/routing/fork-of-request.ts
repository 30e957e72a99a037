import { secretInUrl } from '../../forks/life/fork-addresses';

/** What a request needs a node for: a fork, by its id or by the secret of its address, or room for a new fork. */
export type Need = { forkId: string } | { secret: string } | 'room';

const FORK = /\/(fork_[0-9a-f]{32})(?=\/|$)/;
const CREATION = /^\/v1\/project\/[^/]+\/fork\/?$/i;

/** @returns undefined for a request that any node can serve */
export function needOf({
  method,
  url = '',
}: {
  method?: string | undefined;
  url?: string | undefined;
}): Need | undefined {
  const secret = secretInUrl(url);
  // A preflight asks nothing of a fork.
  if (secret !== undefined) return method === 'OPTIONS' ? undefined : { secret };
  const path = pathOf(url);
  const forkId = FORK.exec(path)?.[1];
  if (forkId !== undefined) return { forkId };
  return method === 'POST' && CREATION.test(path) ? 'room' : undefined;
}

/** The chain of a fork that a body asks for; undefined for a body that is refused later. */
export function chainIdIn(body: Buffer | undefined): number | undefined {
  try {
    const fields = JSON.parse(body?.toString() ?? '') as { chainId?: unknown; data?: unknown };
    const { chainId } = (fields.data ?? fields) as { chainId?: unknown };
    return typeof chainId === 'number' || typeof chainId === 'string' ? Number(chainId) : undefined;
  } catch {
    return undefined;
  }
}

function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // refused later
  }
}

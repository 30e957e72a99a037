import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../api/errors';
import { findNode, type FindNodeOptions, type Place } from './find-node';
import type { Need } from './fork-of-request';
import type { Target } from './node-connections';
import type { WaitingTime } from './waiting-time';

/** Pauses between attempts while a fork moves, in milliseconds. */
const PAUSE_MS = 100;
/** How long a node is asked for a fork again without the database, in milliseconds, and for how many forks. */
export const ANSWERED_MS = 1_000;
const MAX_ANSWERED = 10_000;

interface Attempt {
  place: Exclude<Place, { kind: 'nobody' }>;
  /** Call it if this node refuses. @param nodeId its id */
  refused: (nodeId: string) => void;
}

/** A request that looks for its fork's node. */
export interface Waiting {
  need: Need;
  time: WaitingTime;
  /** Whether the client has left. */
  isGone: () => boolean;
  /** Of a new fork. */
  chainId?: number | undefined;
}

/** The nodes that a request is passed to, one after the other, until one serves it. */
export class NodeAttempts {
  /** Nodes that answered for a fork within the last second. To ask the database would cost more than most requests. */
  readonly #answered = new LRUCache<string, string>({ max: MAX_ANSWERED, ttl: ANSWERED_MS });

  constructor(private readonly options: FindNodeOptions) {}

  /** @throws ApiError forkElsewhere when the time of the request is over, also while the database is asked */
  async *of({ need, time, isGone, chainId }: Waiting): AsyncGenerator<Attempt> {
    const refusing = new Set<string>();
    while (!isGone()) {
      const found = await time.within(findNode(this.options, need, refusing, chainId));
      if (!found) throw forkMoves(1);
      const place = found.value;
      if (place.kind !== 'nobody') {
        yield {
          place,
          refused: (nodeId) => {
            // A node that refused before may take the fork by now.
            refusing.clear();
            refusing.add(nodeId);
          },
        };
      }
      if (time.isOver) throw forkMoves(place.kind === 'nobody' ? place.freeIn : 1);
      await delay(PAUSE_MS);
    }
  }

  /** Records that a node has answered for a fork. */
  remember(need: Need, { nodeId }: Target): void {
    const key = keyOf(need);
    if (need !== 'room' && !this.#answered.has(key)) this.#answered.set(key, nodeId);
  }

  forget(need: Need): void {
    this.#answered.delete(keyOf(need));
  }

  /** The node that answered for the fork last. If it does not answer again, the database tells. */
  remembered(need: Need): Target | undefined {
    const nodeId = this.#answered.get(keyOf(need));
    const url = nodeId === undefined ? undefined : this.options.registry.urlOf(nodeId);
    return nodeId === undefined || url === undefined ? undefined : { nodeId, url };
  }
}

const keyOf = (need: Need): string =>
  need === 'room' ? need : 'forkId' in need ? need.forkId : need.secret;

/** @param seconds until the fork can be taken over */
export function forkMoves(seconds: number): ApiError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  return new ApiError(
    'forkElsewhere',
    `the node that runs the fork does not answer; try again in ${retryAfter} s`,
    { retryAfter },
  );
}

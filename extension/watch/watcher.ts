import { ApiError } from '../../server/api/errors';
import type { ForkChange } from '../../server/api/changes';
import { Emitter } from '../editor/emitter';
import type { Log } from '../editor/log';
import type { ApiClient } from '../model/api-client';
import { reportOf } from '../model/errors';
import {
  watchKey,
  type Watch,
  type WatchMatch,
  type WatchState,
  type WatchView,
} from '../model/watch';
import type { KeptWatches } from './kept-watches';
import type { WatchNews } from './watch-news';

/** Nodes are asked for new blocks in this rhythm: those of the user's, and public ones. */
const INTERVAL_MS = { own: 20_000, public: 60_000 };
const LONGEST_INTERVAL_MS = 600_000;
/** Matches of a watch that are shown. */
const MAX_SHOWN = 25;
/** Transactions of a chain that are not reported a second time, where a block was replaced. */
const MAX_SEEN = 500;

export interface WatcherPorts {
  readonly client: ApiClient;
  readonly kept: KeptWatches;
  /** Whether the service runs: a watch never starts it. */
  readonly isServed: () => boolean;
  readonly onNews: (news: WatchNews) => void;
  readonly log: Log;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** @returns stops the timer */
  readonly startTimer: (run: () => void, ms: number) => () => void;
}

interface Place {
  state: WatchState;
  failures: number;
  skipped: number;
  asking: Promise<void> | undefined;
  /** Events that a request may have missed. */
  events: number;
  stopTimer: (() => void) | undefined;
  readonly seen: Set<string>;
  readonly matches: Map<string, { count: number; shown: readonly WatchMatch[] }>;
}

/**
 * Follows the chains and forks of all watches: one request a chain for all of them. Chains are asked in a rhythm that slows down while they
 * do not answer. Forks are asked after they executed transactions, and only while they run.
 */
export class Watcher {
  readonly #changes = new Emitter<undefined>();
  readonly onDidChange = this.#changes.event;
  readonly #places = new Map<string, Place>();

  constructor(private readonly ports: WatcherPorts) {}

  list(): WatchView[] {
    return this.ports.kept.list().map((watch) => {
      const place = this.#places.get(watch.chain);
      const { count = 0, shown = [] } = place?.matches.get(watchKey(watch)) ?? {};
      const state = place?.state ?? { kind: 'stopped' as const };
      return { watch, state, matches: shown, count, skipped: place?.skipped ?? 0 };
    });
  }

  add(watch: Watch): ReturnType<KeptWatches['add']> {
    const outcome = this.ports.kept.add(watch);
    if (outcome === 'added') void this.#ask(watch.chain);
    this.#changes.fire(undefined);
    return outcome;
  }

  remove(watch: Watch): void {
    this.ports.kept.remove(watch);
    const place = this.#places.get(watch.chain);
    place?.matches.delete(watchKey(watch));
    if (place !== undefined && this.#watchesOf(watch.chain).length === 0) this.#end(watch.chain);
    this.#changes.fire(undefined);
  }

  /** Asks all chains and forks, for example after the service has started. */
  async askAll(): Promise<void> {
    const chains = new Set(this.ports.kept.list().map(({ chain }) => chain));
    for (const chain of this.#places.keys()) if (!chains.has(chain)) this.#end(chain);
    await Promise.all([...chains].map((chain) => this.#ask(chain)));
  }

  /** Asks a fork that executed transactions or that was deleted. */
  async apply({ type, forkId }: ForkChange): Promise<void> {
    if (type === 'snapshots' || this.#watchesOf(forkId).length === 0) return;
    await this.#ask(forkId);
  }

  dispose(): void {
    for (const chain of [...this.#places.keys()]) this.#end(chain);
  }

  #watchesOf = (chain: string): Watch[] =>
    this.ports.kept.list().filter((watch) => watch.chain === chain);

  #end(chain: string): void {
    this.#places.get(chain)?.stopTimer?.();
    this.#places.delete(chain);
  }

  #placeOf(chain: string): Place {
    const place = this.#places.get(chain) ?? {
      state: { kind: 'starting' as const },
      failures: 0,
      skipped: 0,
      asking: undefined,
      events: 0,
      stopTimer: undefined,
      seen: new Set<string>(),
      matches: new Map(),
    };
    this.#places.set(chain, place);
    return place;
  }

  /** Never rejects. One request at a time, and one more for what happened during it. */
  #ask(chain: string): Promise<void> {
    const place = this.#placeOf(chain);
    if (place.asking !== undefined) {
      place.events++;
      return place.asking;
    }
    place.stopTimer?.();
    place.asking = this.#follow(chain, place).finally(() => {
      place.asking = undefined;
    });
    return place.asking;
  }

  async #follow(chain: string, place: Place): Promise<void> {
    let seen: number;
    do {
      seen = place.events;
      try {
        place.state = await this.#read(chain, place);
        place.failures = 0;
      } catch (error) {
        place.state = this.#failed(place, chain, error);
      }
    } while (place.events !== seen && this.#places.get(chain) === place);
    if (this.#places.get(chain) !== place) return;
    await this.#schedule(chain, place);
    this.#changes.fire(undefined);
  }

  async #read(chain: string, place: Place): Promise<WatchState> {
    const { client, kept, isServed } = this.ports;
    const watches = this.#watchesOf(chain);
    const [first] = watches;
    if (first === undefined || !isServed()) return { kind: 'stopped' };
    if (first.project !== undefined) {
      const params = { project_id: first.project, fork_id: chain };
      const { state } = await client.call('getFork', { params });
      // A request would wake it. Nothing happens while it sleeps.
      if (state !== 'running') return { kind: 'sleeping' };
    }
    const after = kept.marked(chain);
    const body = { watches: watches.map(({ watched }) => watched), ...(after && { after }) };
    const activity = await client.call('findActivity', { params: { chain }, body });
    if (this.#watchesOf(chain).length === 0) return { kind: 'stopped' };
    kept.mark(chain, activity.head);
    const fresh = activity.transactions.filter(({ hash }) => !place.seen.has(hash));
    for (const { hash } of fresh) place.seen.add(hash);
    for (const hash of [...place.seen].slice(0, -MAX_SEEN)) place.seen.delete(hash);
    place.skipped += activity.skipped;
    if (activity.skipped > 0) {
      this.ports.log.warn(`watches: ${activity.skipped} blocks of ${chain} were not read`);
    }
    const { labels, nativeSymbol } = activity;
    const matches = fresh.map((transaction) => ({ transaction, page: { labels, nativeSymbol } }));
    watches.forEach((watch, index) => {
      const own = matches.filter(({ transaction }) => transaction.watches.includes(index));
      const { count, shown } = place.matches.get(watchKey(watch)) ?? { count: 0, shown: [] };
      const kept = [...own, ...shown].slice(0, MAX_SHOWN);
      place.matches.set(watchKey(watch), { count: count + own.length, shown: kept });
    });
    const unlisted = activity.count - activity.transactions.length;
    if (fresh.length > 0 || activity.skipped > 0) {
      const matched = watches.filter((_, index) =>
        fresh.some((transaction) => transaction.watches.includes(index)),
      );
      const { skipped } = activity;
      this.ports.onNews({
        chain,
        place: first.place,
        watches: matched,
        matches,
        unlisted,
        skipped,
      });
    }
    return { kind: 'watching', head: activity.head.number };
  }

  #failed(place: Place, chain: string, error: unknown): WatchState {
    const message = reportOf(error)?.message ?? '';
    if (isGone(error)) return { kind: 'gone', message };
    place.failures++;
    this.ports.log.debug(`watches: ${chain}: ${message}`);
    const next = this.ports.now() + pauseOf(place.failures);
    return { kind: 'unreachable', message, next };
  }

  /** A fork is asked when the service says that something happened on it. */
  async #schedule(chain: string, place: Place): Promise<void> {
    const { kind } = place.state;
    const waits = kind === 'unreachable' || (kind === 'watching' && !chain.startsWith('fork_'));
    if (!waits) return;
    const ms =
      place.state.kind === 'unreachable'
        ? place.state.next - this.ports.now()
        : await this.#intervalOf(chain);
    if (this.#places.get(chain) !== place) return;
    place.stopTimer = this.ports.startTimer(() => void this.#ask(chain), Math.max(0, ms));
  }

  async #intervalOf(chain: string): Promise<number> {
    const chains = await this.ports.client.call('listChains', {}).catch(() => []);
    const isOwn = chains.find(({ slug }) => slug === chain)?.hasOwnEndpoint === true;
    return isOwn ? INTERVAL_MS.own : INTERVAL_MS.public;
  }
}

function pauseOf(failures: number): number {
  return Math.min(LONGEST_INTERVAL_MS, INTERVAL_MS.own * 2 ** Math.min(failures, 10));
}

const isGone = (error: unknown): boolean =>
  error instanceof ApiError &&
  ['chainNotFound', 'forkNotFound', 'projectNotFound'].includes(error.kind);

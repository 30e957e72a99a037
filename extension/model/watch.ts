import type { Activity, Watched } from '../../server/api/activity';
import type { Event } from '../editor/emitter';

/** An address or an event that is watched on a chain or fork. */
export interface Watch {
  /** Slug of the chain, or id of the fork. */
  chain: string;
  /** Of the chain or fork, for people. */
  place: string;
  /** Project of the fork; missing for a chain. */
  project?: string;
  /** What is watched, for people. */
  name: string;
  watched: Watched;
}

export type WatchState =
  /** `stopped`: the service does not run. */
  | { kind: 'starting' | 'stopped' | 'sleeping' }
  /** Up to block `head`. */
  | { kind: 'watching'; head: number }
  /** `next`: when it is asked again, Unix milliseconds. */
  | { kind: 'unreachable'; message: string; next: number }
  /** The chain or fork no longer exists. */
  | { kind: 'gone'; message: string };

export type WatchedTransaction = Activity['transactions'][number];
/** A transaction that matched. */
export interface WatchMatch {
  transaction: WatchedTransaction;
  page: Pick<Activity, 'labels' | 'nativeSymbol'>;
}

export interface WatchView {
  watch: Watch;
  state: WatchState;
  /** The newest matches of this window, newest first. */
  matches: readonly WatchMatch[];
  /** Matches in this window. */
  count: number;
  /** Blocks that were not read, in this window. */
  skipped: number;
}

/** What is watched in this workspace. */
export interface Watches {
  list(): readonly WatchView[];
  readonly onDidChange: Event<undefined>;
}

/** Equal for watches of the same chain and subject. */
export function watchKey({ chain, watched }: Watch): string {
  const { kind, address = '' } = watched;
  return [chain, kind, kind === 'event' ? watched.topic : '', address].join(' ');
}

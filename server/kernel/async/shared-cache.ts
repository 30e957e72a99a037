import { LRUCache } from 'lru-cache';
import { ApiError } from '../../api/errors';
import type { OnProgress, Progress } from '../../api/progress';
import { abortable } from './abortable';

interface Flight<V> {
  readonly value: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
  readonly listeners: Set<OnProgress>;
  /** The latest progress, for callers that join later. */
  progress?: Progress;
}

/** Loads a value and reports progress to all waiting callers. */
type Load<V> = (signal: AbortSignal, onProgress: OnProgress) => Promise<V>;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Number of loaded values that are remembered until the garbage collector takes them. */
const REMEMBERED = 1_000;

export interface SharedCacheOptions {
  /** A value that is too heavy, or was evicted, is given until the garbage collector takes it. */
  readonly remembers?: boolean;
}

/**
 * A cache of immutable values, bounded by total weight. Concurrent requests for a value share one load.
 * A load is aborted when its last caller has gone.
 */
export class SharedCache<V extends object> {
  readonly #values: LRUCache<string, V>;
  readonly #remembered: LRUCache<string, WeakRef<V>> | undefined;
  readonly #flights = new Map<string, Flight<V>>();

  /** @param weightOf returns a positive integer in the unit of `maxWeight`; values heavier than `maxWeight` are not kept */
  constructor(
    maxWeight: number,
    weightOf: (value: V) => number,
    { remembers = false }: SharedCacheOptions = {},
  ) {
    this.#values = new LRUCache({ maxSize: maxWeight, sizeCalculation: weightOf });
    if (remembers) this.#remembered = new LRUCache({ max: REMEMBERED });
  }

  /** @throws ApiError `cancelled` once the caller's signal fires; else what `load` throws */
  async get(key: string, load: Load<V>, { signal, onProgress }: WaitOptions = {}): Promise<V> {
    const known = this.known(key);
    if (known) return known;
    throwIfCancelled(signal);
    const flight = this.#flights.get(key) ?? this.#start(key, load);
    flight.waiting++;
    if (onProgress) {
      flight.listeners.add(onProgress);
      if (flight.progress) onProgress(flight.progress);
    }
    try {
      return await abortable(flight.value, signal);
    } catch (error) {
      throwIfCancelled(signal);
      throw error;
    } finally {
      if (onProgress) flight.listeners.delete(onProgress);
      if (--flight.waiting === 0) this.#land(key, flight);
    }
  }

  /** A loaded value, if it is kept or remembered. */
  known(key: string): V | undefined {
    return this.#values.get(key) ?? this.#remembered?.get(key)?.deref();
  }

  /** Replaces a loaded value with a better one. Does nothing if the value is neither kept nor remembered. */
  replace(key: string, value: V): void {
    if (this.known(key) !== undefined) this.#keep(key, value);
  }

  /** Loads the value again when it is next asked for. */
  forget(key: string): void {
    this.#values.delete(key);
    this.#remembered?.delete(key);
  }

  #keep(key: string, value: V): void {
    this.#values.set(key, value);
    this.#remembered?.set(key, new WeakRef(value));
  }

  #start(key: string, load: Load<V>): Flight<V> {
    const controller = new AbortController();
    const listeners = new Set<OnProgress>();
    const reportProgress = (progress: Progress): void => {
      flight.progress = progress;
      for (const listener of listeners) listener(progress);
    };
    // Deferred until the flight exists, which progress reports refer to.
    const value = Promise.resolve()
      .then(() => load(controller.signal, reportProgress))
      .then((loaded) => {
        this.#keep(key, loaded);
        return loaded;
      });
    const flight: Flight<V> = { value, controller, waiting: 0, listeners };
    this.#flights.set(key, flight);
    return flight;
  }

  #land(key: string, flight: Flight<V>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.controller.abort();
  }
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled();
}

const cancelled = (): ApiError => new ApiError('cancelled', 'the analysis was cancelled');

import { LRUCache } from 'lru-cache';
import { ApiError } from '../api/errors';
import type { OnProgress, Progress } from '../api/progress';
import { abortable } from '../ethereum/abortable';

interface Flight<V> {
  readonly value: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
  readonly listeners: Set<OnProgress>;
  /** What was told last, for who comes later. */
  progress?: Progress;
}

/** Makes a value; how far it is, all who wait for it are told. */
type Load<V> = (signal: AbortSignal, onProgress: OnProgress) => Promise<V>;

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Values that never change, kept up to a total weight, and loaded once however many ask for them at the same time.
 * A load is given up when nobody waits for it any more.
 */
export class SharedCache<V extends object> {
  private readonly values: LRUCache<string, V>;
  private readonly flights = new Map<string, Flight<V>>();

  /** @param weigh a positive integer, in the unit of `maxWeight`; heavier values than `maxWeight` are not kept */
  constructor(maxWeight: number, weigh: (value: V) => number) {
    this.values = new LRUCache({ maxSize: maxWeight, sizeCalculation: weigh });
  }

  /** @throws ApiError `cancelled` once the caller's signal fires; else what `load` throws */
  async get(key: string, load: Load<V>, { signal, onProgress }: WaitOptions = {}): Promise<V> {
    const known = this.values.get(key);
    if (known) return known;
    throwIfCancelled(signal);
    const flight = this.flights.get(key) ?? this.start(key, load);
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
      if (--flight.waiting === 0) this.land(key, flight);
    }
  }

  /** Puts a better value in place of one that was loaded; where that is gone, nothing happens. */
  replace(key: string, value: V): void {
    if (this.values.has(key)) this.values.set(key, value);
  }

  private start(key: string, load: Load<V>): Flight<V> {
    const controller = new AbortController();
    const listeners = new Set<OnProgress>();
    const tell = (progress: Progress): void => {
      flight.progress = progress;
      for (const listener of listeners) listener(progress);
    };
    // Not before the flight is there to be told about.
    const value = Promise.resolve()
      .then(() => load(controller.signal, tell))
      .then((loaded) => {
        this.values.set(key, loaded);
        return loaded;
      });
    const flight: Flight<V> = { value, controller, waiting: 0, listeners };
    this.flights.set(key, flight);
    return flight;
  }

  private land(key: string, flight: Flight<V>): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
    flight.controller.abort();
  }
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled();
}

const cancelled = (): ApiError => new ApiError('cancelled', 'the analysis was cancelled');

import { LRUCache } from 'lru-cache';
import { ApiError } from '../api/errors';
import { abortable } from '../ethereum/abortable';

interface Flight<V> {
  readonly value: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
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
  async get(
    key: string,
    load: (signal: AbortSignal) => Promise<V>,
    signal?: AbortSignal,
  ): Promise<V> {
    const known = this.values.get(key);
    if (known) return known;
    throwIfCancelled(signal);
    const flight = this.flights.get(key) ?? this.start(key, load);
    flight.waiting++;
    try {
      return await abortable(flight.value, signal);
    } catch (error) {
      throwIfCancelled(signal);
      throw error;
    } finally {
      if (--flight.waiting === 0) this.land(key, flight);
    }
  }

  private start(key: string, load: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const controller = new AbortController();
    const value = load(controller.signal).then((loaded) => {
      this.values.set(key, loaded);
      return loaded;
    });
    const flight = { value, controller, waiting: 0 };
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

import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';

/** Named signals that make up where the reader is. */
export interface Keeper {
  /**
   * The signal of this name; one per name, whoever asks. Its value must be plain JSON.
   * @param initial its value where none was saved
   */
  keep: <T>(name: string, initial: T) => Signal<T>;
  /** The values of all of them. */
  values: ReadonlySignal<Record<string, unknown>>;
}

export function createKeeper(saved: Readonly<Record<string, unknown>>): Keeper {
  const kept = new Map<string, Signal>();
  const count = signal(0);
  return {
    keep<T>(name: string, initial: T) {
      const known = kept.get(name);
      if (known) return known as Signal<T>;
      const fresh = signal(Object.hasOwn(saved, name) ? (saved[name] as T) : initial);
      kept.set(name, fresh);
      count.value = kept.size;
      return fresh;
    },
    values: computed(() => {
      // What no component has asked for yet, as its tab was not shown, stays as it was saved.
      const values = { ...saved };
      if (count.value > 0) for (const [name, { value }] of kept) values[name] = value;
      return values;
    }),
  };
}

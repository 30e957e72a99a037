import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';

/** Named signals that store the user's position in the views. */
export interface PersistentSignals {
  /**
   * The signal with this name; all callers share it. Its value must be plain JSON.
   * @param initial value if none was saved
   */
  persistentSignal: <T>(name: string, initial: T) => Signal<T>;
  /** The values of all signals. */
  values: ReadonlySignal<Record<string, unknown>>;
}

export function createPersistentSignals(
  saved: Readonly<Record<string, unknown>>,
): PersistentSignals {
  const signals = new Map<string, Signal>();
  const count = signal(0);
  return {
    persistentSignal<T>(name: string, initial: T) {
      const known = signals.get(name);
      if (known) return known as Signal<T>;
      const fresh = signal(Object.hasOwn(saved, name) ? (saved[name] as T) : initial);
      signals.set(name, fresh);
      count.value = signals.size;
      return fresh;
    },
    values: computed(() => {
      // Saved values that no component has requested yet, for example of tabs that were not opened, are kept.
      const values = { ...saved };
      if (count.value > 0) for (const [name, { value }] of signals) values[name] = value;
      return values;
    }),
  };
}

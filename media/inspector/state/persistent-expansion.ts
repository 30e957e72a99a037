import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { PersistentSignals } from '../model/persistent-signals';
import { everything, type Expansion } from './expansion';

/** JSON form of an expansion. */
interface JsonExpansion {
  depth: number;
  except: number[];
}

function persistWhole(persistentSignal: PersistentSignals['persistentSignal']): Signal<Expansion> {
  const saved = persistentSignal<JsonExpansion>('expansion', {
    depth: everything.depth,
    except: [],
  });
  const { depth, except } = saved.peek();
  const expansion = signal<Expansion>({ depth, except: new Set(except) });
  effect(() => {
    saved.value = { depth: expansion.value.depth, except: [...expansion.value.except] };
  });
  return expansion;
}

export interface PersistentExpansion {
  /** Expansion of the whole tree; saved. */
  whole: Signal<Expansion>;
  /** Expansion of the shown tree. A filtered tree has its own, so that removing the filter restores the previous expansion. */
  shown: { value: Expansion };
}

/** @param isFiltered whether only some rows are shown; those are all open at first */
export function persistExpansion(
  persistentSignal: PersistentSignals['persistentSignal'],
  isFiltered: ReadonlySignal<boolean>,
): PersistentExpansion {
  const whole = persistWhole(persistentSignal);
  const filtered = signal(everything);
  effect(() => {
    if (isFiltered.value) filtered.value = everything;
  });
  return {
    whole,
    shown: {
      get value() {
        return (isFiltered.value ? filtered : whole).value;
      },
      set value(next: Expansion) {
        (isFiltered.peek() ? filtered : whole).value = next;
      },
    },
  };
}

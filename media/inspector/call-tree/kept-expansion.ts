import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Keeper } from '../keep';
import { everything, type Expansion } from './expansion';

/** An expansion as JSON holds it. */
interface JsonExpansion {
  depth: number;
  except: number[];
}

function keepWhole(keep: Keeper['keep']): Signal<Expansion> {
  const kept = keep<JsonExpansion>('expansion', { depth: everything.depth, except: [] });
  const { depth, except } = kept.peek();
  const expansion = signal<Expansion>({ depth, except: new Set(except) });
  effect(() => {
    kept.value = { depth: expansion.value.depth, except: [...expansion.value.except] };
  });
  return expansion;
}

export interface KeptExpansion {
  /** Of the whole tree; kept. */
  whole: Signal<Expansion>;
  /** Of the tree that is shown. Where that is filtered, it is for itself: without the filter, all is as it was. */
  shown: { value: Expansion };
}

/** @param isFiltered whether only some rows are shown; these are all open at first */
export function keepExpansion(
  keep: Keeper['keep'],
  isFiltered: ReadonlySignal<boolean>,
): KeptExpansion {
  const whole = keepWhole(keep);
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

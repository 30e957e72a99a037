import {
  computed,
  effect,
  signal,
  untracked,
  type ReadonlySignal,
  type Signal,
} from '@preact/signals';
import type { Names } from '../../../server/presentation/segment';
import type { PersistentSignals } from '../model/persistent-signals';
import type { FlowRow } from '../protocol/protocol';
import { matcherOf } from './matcher';
import { parseQuery, type QueryProblem } from './query';
import { SearchIndex } from './search-index';

/** A search through calls and events. */
export interface Search {
  isOpen: Signal<boolean>;
  query: Signal<string>;
  /** Shows only matches and their ancestors; otherwise matches are highlighted among all rows. */
  onlyMatches: Signal<boolean>;
  problem: ReadonlySignal<QueryProblem | undefined>;
  /** Indices of the matching rows, ascending; undefined without a search. */
  found: ReadonlySignal<readonly number[] | undefined>;
  /** The texts of the rows. */
  index: ReadonlySignal<SearchIndex>;
  /** Whether `found` still belongs to the previous query. */
  isBusy: ReadonlySignal<boolean>;
}

export function createSearch(
  rows: ReadonlySignal<readonly FlowRow[]>,
  names: ReadonlySignal<Names>,
  persistentSignal: PersistentSignals['persistentSignal'],
): Search {
  const isOpen = persistentSignal('searchOpen', false);
  const query = persistentSignal('search', '');
  const found = signal<readonly number[] | undefined>(undefined);
  const isBusy = signal(false);
  const index = computed(() => new SearchIndex(rows.value, names.value));
  const parsed = computed(() => parseQuery(query.value));

  // The texts are built while the user is still typing.
  effect(() => {
    if (!isOpen.value) return undefined;
    const abort = new AbortController();
    index.value.warm(abort.signal).catch(() => undefined);
    return () => {
      abort.abort();
    };
  });

  effect(() => {
    const searched = isOpen.value && parsed.value.ok ? parsed.value.terms : [];
    if (searched.length === 0) {
      found.value = undefined;
      isBusy.value = false;
      return undefined;
    }
    const abort = new AbortController();
    isBusy.value = true;
    const matcher = matcherOf(searched, names.value);
    const through = index.value;
    untracked(() => through.search(matcher, abort.signal)).then(
      (indices) => {
        if (abort.signal.aborted) return;
        found.value = indices;
        isBusy.value = false;
      },
      () => undefined,
    );
    return () => {
      abort.abort();
    };
  });

  return {
    isOpen,
    query,
    found,
    index,
    isBusy,
    onlyMatches: persistentSignal('onlyMatches', false),
    problem: computed(() => (parsed.value.ok ? undefined : parsed.value.problem)),
  };
}

import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useInspector } from '../state/inspector-context';
import { matcherOf } from '../search/matcher';
import { parseQuery, problemText } from '../search/query';

/** A filter of calls and events with the syntax of the call tree's search. */
export interface RowFilter {
  text: Signal<string>;
  /** Describes what is wrong with the input; an invalid filter matches everything. */
  problem: string | undefined;
  /** @param index index of a row of the call tree */
  matches: (index: number) => boolean;
}

/** The filter of a view; its text is saved. */
export function useRowFilter(view: string): RowFilter {
  const { state } = useInspector();
  const text = state.persistentSignal(`${view}.filter`, '');
  const typed = text.value;
  const names = state.names.value;
  const { rows } = state.calls.tree.value;
  const index = state.calls.search.index.value;
  return useMemo(() => {
    const query = parseQuery(typed);
    if (!query.ok) return { text, problem: problemText(query.problem), matches: () => true };
    const { terms } = query;
    const matcher = matcherOf(terms, names);
    return {
      text,
      problem: undefined,
      matches: (at) => {
        const row = rows[at];
        return terms.length === 0 || (row !== undefined && matcher(row, () => index.text(at)));
      },
    };
  }, [text, typed, names, rows, index]);
}

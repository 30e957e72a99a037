import { useEffect, useReducer } from 'preact/hooks';
import { highlightsOf, type Highlights } from '../model/highlights';
import type { CallTree } from '../model/tree-model';

/** Trees with more rows are read after the paint of the view. */
const SHORT = 10_000;

const known = new WeakMap<CallTree, Highlights>();

function read(tree: CallTree): Highlights {
  const found = known.get(tree) ?? highlightsOf(tree);
  known.set(tree, found);
  return found;
}

/** The highlights of a tree, found once; undefined until its rows have arrived and, if they are many, until the view is painted. */
export function useHighlights(tree: CallTree, isWhole: boolean): Highlights | undefined {
  const [, rerender] = useReducer<number, undefined>((renders) => renders + 1, 0);
  const isWaiting = isWhole && tree.rows.length > SHORT && !known.has(tree);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => {
      read(tree);
      rerender(undefined);
    });
    return () => {
      clearTimeout(timer);
    };
  }, [tree, isWaiting]);
  return isWhole && !isWaiting ? read(tree) : undefined;
}

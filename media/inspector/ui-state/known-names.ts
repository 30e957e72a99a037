import { computed, type ReadonlySignal } from '@preact/signals';
import { namesOf, type Names } from '../../../server/presentation/segment';
import type { Part } from '../protocol/parts';

interface Labelled {
  labels: Readonly<Record<string, string>>;
}

const isEqual = (one: Labelled['labels'], other: Labelled['labels']): boolean => {
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([address, name]) => other[address] === name)
  );
};

/**
 * The names of addresses from the labels of all loaded parts; the first part with a label names its address. Stays the same function until
 * a name is added or changed, because every shown row depends on it, and parts arrive in many slices.
 */
export function createNames(
  parts: readonly ReadonlySignal<Part<Labelled>>[],
): ReadonlySignal<Names> {
  let known: Labelled['labels'] = {};
  let names = namesOf(known);
  let before: readonly Labelled['labels'][] = [];
  return computed(() => {
    const labels = parts.flatMap(({ value }) =>
      value.state === 'ready' ? [value.value.labels] : [],
    );
    const isSame = labels.length === before.length && labels.every((one, at) => one === before[at]);
    if (isSame) return names;
    before = labels;
    const merged = Object.assign({}, ...labels.toReversed()) as Labelled['labels'];
    if (isEqual(merged, known)) return names;
    known = merged;
    names = namesOf(known);
    return names;
  });
}

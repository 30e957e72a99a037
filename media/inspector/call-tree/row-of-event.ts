/** Id of a row's element. */
export function rowId(index: number): string {
  return `row-${index}`;
}

/** The index of the row that an event targets, if any. */
export function rowAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return row === null ? undefined : Number(row.dataset['index']);
}

export function isOnTwisty(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('.twisty.foldable');
}

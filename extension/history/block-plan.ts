import type { ReorderRequest } from '../../server/api/reorder';

/** Where a transaction goes. */
export type Movement = 'up' | 'down' | 'first' | 'last';

/** The order of another block, while the user makes it. Transactions are named by their positions in the block as it was. */
export class BlockPlan {
  #order: readonly number[];
  readonly #dropped = new Set<number>();

  constructor(private readonly count: number) {
    this.#order = Array.from({ length: count }, (_, position) => position);
  }

  /** All transactions, in the order of the other block; also those that are left out. */
  get order(): readonly number[] {
    return this.#order;
  }

  isDropped(position: number): boolean {
    return this.#dropped.has(position);
  }

  /** Leaves a transaction out, or puts it back. */
  toggle(position: number): void {
    if (!this.#dropped.delete(position)) this.#dropped.add(position);
  }

  move(position: number, movement: Movement): void {
    const others = this.#order.filter((one) => one !== position);
    const place = this.#order.indexOf(position);
    const next = { up: place - 1, down: place + 1, first: 0, last: others.length }[movement];
    others.splice(Math.min(Math.max(next, 0), others.length), 0, position);
    this.#order = others;
  }

  /** What the service is asked for: as few moves as lead to this order. */
  changes(): ReorderRequest['changes'] {
    const kept = this.#order.filter((position) => !this.#dropped.has(position));
    const fixed = new Set(longestRising(kept));
    const moves = kept.flatMap((position, index) => {
      if (fixed.has(position)) return [];
      const before = kept.slice(index + 1).find((one) => fixed.has(one)) ?? this.count;
      return [{ kind: 'move' as const, position, before }];
    });
    const drops = [...this.#dropped].sort((one, other) => one - other);
    return [...drops.map((position) => ({ kind: 'drop' as const, position })), ...moves];
  }
}

/** The longest part of a list that rises, in its order. */
function longestRising(list: readonly number[]): number[] {
  const ends: number[][] = [];
  for (const one of list) {
    const at = ends.findIndex((rising) => (rising.at(-1) ?? 0) >= one);
    const longer = [...(ends[(at < 0 ? ends.length : at) - 1] ?? []), one];
    if (at < 0) ends.push(longer);
    else ends[at] = longer;
  }
  return ends.at(-1) ?? [];
}

import type { ReorderRequest } from '../../server/api/reorder';

/** Where a transaction goes. */
export type Movement = 'up' | 'down' | 'first' | 'last';

type Changes = ReorderRequest['changes'];
type Change<Kind extends Changes[number]['kind']> = Extract<Changes[number], { kind: Kind }>;
/** What is inserted, without its place. */
export type Insertion =
  | Omit<Change<'insert'>, 'before'>
  | Omit<Change<'insertMined'>, 'before'>
  | Omit<Change<'insertSigned'>, 'before'>;
export type Fields = Change<'set'>['fields'];

/**
 * The order of another block, while the user makes it. Transactions are named by their positions in the block as it was, inserted ones by
 * the numbers after them.
 */
export class BlockPlan {
  #order: readonly number[];
  readonly #dropped = new Set<number>();
  readonly #inserted = new Map<number, Insertion>();
  readonly #fields = new Map<number, Fields>();
  #next: number;

  constructor(private readonly count: number) {
    this.#order = Array.from({ length: count }, (_, position) => position);
    this.#next = count;
  }

  /** All transactions, in the order of the other block; also those that are left out. */
  get order(): readonly number[] {
    return this.#order;
  }

  isDropped(one: number): boolean {
    return this.#dropped.has(one);
  }

  /** Undefined for a transaction of the block. */
  insertionOf(one: number): Insertion | undefined {
    return this.#inserted.get(one);
  }

  /** What a transaction of the block has otherwise. */
  fieldsOf(one: number): Fields {
    return this.#fields.get(one) ?? {};
  }

  /** Leaves a transaction out, or puts it back. An inserted one is gone. */
  toggle(one: number): void {
    if (this.#inserted.delete(one)) this.#order = this.#order.filter((other) => other !== one);
    else if (!this.#dropped.delete(one)) this.#dropped.add(one);
  }

  move(one: number, movement: Movement): void {
    const index = this.#order.indexOf(one);
    this.place(
      one,
      { up: index - 1, down: index + 1, first: 0, last: this.#order.length }[movement],
    );
  }

  /** @param index among the others */
  place(one: number, index: number): void {
    const others = this.#order.filter((other) => other !== one);
    others.splice(Math.min(Math.max(index, 0), others.length), 0, one);
    this.#order = others;
  }

  /** @param after the transaction before it; undefined: at the start @returns its number */
  insert(insertion: Insertion, after: number | undefined): number {
    const one = this.#next++;
    this.#inserted.set(one, insertion);
    this.place(one, after === undefined ? 0 : this.#order.indexOf(after) + 1);
    return one;
  }

  /** Gives a transaction of the block another field. @param value undefined: its own */
  set(one: number, field: keyof Fields, value: string | undefined): void {
    const fields = Object.fromEntries(
      Object.entries({ ...this.fieldsOf(one), [field]: value }).filter(
        ([, known]) => known !== undefined,
      ),
    );
    if (Object.keys(fields).length === 0) this.#fields.delete(one);
    else this.#fields.set(one, fields);
  }

  /** What the service is asked for: as few moves as lead to this order. */
  changes(): Changes {
    const kept = this.#order.filter((one) => !this.#dropped.has(one));
    const fixed = new Set(longestRising(kept.filter((one) => !this.#inserted.has(one))));
    const placed = kept.flatMap((one, index): Changes => {
      if (fixed.has(one)) return [];
      const before = kept.slice(index + 1).find((other) => fixed.has(other)) ?? this.count;
      const insertion = this.#inserted.get(one);
      return [insertion ? { ...insertion, before } : { kind: 'move', position: one, before }];
    });
    const rising = (list: Iterable<number>): number[] =>
      [...list].sort((one, other) => one - other);
    return [
      ...rising(this.#dropped).map((position) => ({ kind: 'drop' as const, position })),
      ...rising(this.#fields.keys())
        .filter((position) => !this.#dropped.has(position))
        .map((position) => ({ kind: 'set' as const, position, fields: this.fieldsOf(position) })),
      ...placed,
    ];
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

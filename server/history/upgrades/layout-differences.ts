import type { StorageLayout, StorageType } from '../../analysis/storage-layout';

/** A variable that the new layout reads in another way than the old one wrote it. */
export interface LayoutDifference {
  readonly kind: 'moved' | 'retyped' | 'renamed' | 'lost' | 'overlapping' | 'unread';
  readonly text: string;
  /** Of the old layout, with the names of the structs that it is in. */
  readonly variable: string;
  /** Place of the variable itself; undefined for a member of an entry or element, which has many. */
  readonly at?: Place;
}

export interface Place {
  readonly slot: bigint;
  readonly offset: number;
  /** Key in the old layout's types. */
  readonly type: string;
}

type Member = StorageLayout['storage'][number];

/** Structs and mappings in each other. */
const MAX_DEPTH = 16;
/** Pairs of variables that are compared: a type may contain itself, and any number of variables may be of one type. */
const MAX_COMPARED = 200_000;
/** What a difference costs of that, since the answer lists it. */
const DIFFERENCE = 200;
const SLOT_BYTES = 32n;

/**
 * Compares two storage layouts. Variables that are added behind the old ones, and into their gaps (`__gap`), change nothing. Of layouts that
 * are too large, the last difference says so.
 */
export function layoutDifferences(before: StorageLayout, after: StorageLayout): LayoutDifference[] {
  const comparison = new Comparison(before, after);
  const found = comparison.members(before.storage, after.storage, '', 0n, 0);
  if (!comparison.isCut) return found;
  const text = `the layouts are too large: only ${found.length} differences are listed`;
  return found.concat({ kind: 'unread', variable: '', text });
}

class Comparison {
  #left = MAX_COMPARED;

  constructor(
    private readonly before: StorageLayout,
    private readonly after: StorageLayout,
  ) {}

  /** Whether not everything was compared. */
  get isCut(): boolean {
    return this.#left < 0;
  }

  /** @returns false where no more may be compared */
  #spend(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }

  /** @param base first slot of the struct; undefined where it has no place of its own */
  members(
    old: readonly Member[],
    now: readonly Member[],
    path: string,
    base: bigint | undefined,
    depth: number,
  ): LayoutDifference[] {
    const names = new Set(old.map(({ label }) => label));
    const found: LayoutDifference[] = [];
    if (!this.#spend(old.length + now.length)) return found;
    const [byLabel, byPlace] = [firstBy(now, labelOf), firstBy(now, placeKey)];
    for (const was of old) {
      if (this.isCut) break;
      if (isGap(was)) continue;
      const variable = path + was.label;
      const at = base === undefined ? {} : { at: placeOf(was, base) };
      const is = byLabel.get(labelOf(was));
      const there = byPlace.get(placeKey(was));
      if (!is) {
        this.#spend(DIFFERENCE);
        const renamed = there && !names.has(there.label) && this.#isSameType(was, there);
        found.push(
          renamed
            ? { kind: 'renamed', variable, text: `${variable} is ${path}${there.label}`, ...at }
            : { kind: 'lost', variable, text: `${variable} is gone`, ...at },
        );
        if (!renamed) found.push(...this.#overlaps(was, now, variable, at));
        continue;
      }
      if (!isSamePlace(is, was)) {
        this.#spend(DIFFERENCE);
        const text = `${variable} moved from ${placeText(was)} to ${placeText(is)}`;
        found.push({ kind: 'moved', variable, text, ...at });
        found.push(...this.#overlaps(was, now, variable, at));
        continue;
      }
      found.push(...this.#types(was, is, variable, base, depth));
    }
    return found;
  }

  #overlaps(
    was: Member,
    now: readonly Member[],
    variable: string,
    at: Pick<LayoutDifference, 'at'>,
  ): LayoutDifference[] {
    const [start, end] = bytesOf(was, this.before);
    const over = now.filter((one) => {
      if (!this.#spend(1) || isGap(one) || one.label === was.label) return false;
      const [from, to] = bytesOf(one, this.after);
      return from < end && to > start && this.#spend(DIFFERENCE);
    });
    return over.map(({ label }) => ({
      kind: 'overlapping',
      variable,
      text: `${label} reads what was written as ${variable}`,
      ...at,
    }));
  }

  #types(
    was: Member,
    is: Member,
    variable: string,
    base: bigint | undefined,
    depth: number,
  ): LayoutDifference[] {
    const at = base === undefined ? {} : { at: placeOf(was, base) };
    const slot = base === undefined ? undefined : base + BigInt(was.slot);
    return this.#type(was.type, is.type, variable, { at, slot }, depth);
  }

  #type(
    wasId: string | undefined,
    isId: string | undefined,
    variable: string,
    { at, slot }: { at: Pick<LayoutDifference, 'at'>; slot: bigint | undefined },
    depth: number,
  ): LayoutDifference[] {
    const old = typeOf(this.before, wasId);
    const now = typeOf(this.after, isId);
    if (!old || !now || depth > MAX_DEPTH || !this.#spend(1)) return [];
    if (old.label !== now.label || old.numberOfBytes !== now.numberOfBytes) {
      if (isLongerStruct(old, now) && slot === undefined) {
        return this.members(
          old.members ?? [],
          now.members ?? [],
          `${variable}.`,
          undefined,
          depth + 1,
        );
      }
      this.#spend(DIFFERENCE);
      const text = `${variable} was of type ${typeText(old)} and is of type ${typeText(now)}`;
      return [{ kind: 'retyped', variable, text, ...at }];
    }
    const inside = { at: {}, slot: undefined };
    return [
      ...this.members(old.members ?? [], now.members ?? [], `${variable}.`, slot, depth + 1),
      ...this.#type(old.key, now.key, `${variable}[key]`, inside, depth + 1),
      ...this.#type(
        old.value ?? old.base,
        now.value ?? now.base,
        `${variable}[…]`,
        inside,
        depth + 1,
      ),
    ];
  }

  #isSameType(was: Member, is: Member): boolean {
    const old = typeOf(this.before, was.type);
    const now = typeOf(this.after, is.type);
    return old !== undefined && old.label === now?.label && old.numberOfBytes === now.numberOfBytes;
  }
}

const typeOf = ({ types }: StorageLayout, id: string | undefined): StorageType | undefined =>
  id === undefined ? undefined : types?.[id];

/** Members may be added to a struct that is only in mappings. */
const isLongerStruct = (old: StorageType, now: StorageType): boolean =>
  old.label === now.label && old.members !== undefined && now.members !== undefined;

const isGap = ({ label }: Member): boolean => /^_*gap$/.test(label);

const labelOf = ({ label }: Member): string => label;
const placeKey = ({ slot, offset }: Member): string => `${slot} ${offset}`;

function firstBy(all: readonly Member[], key: (one: Member) => string): Map<string, Member> {
  const found = new Map<string, Member>();
  for (const one of all) if (!found.has(key(one))) found.set(key(one), one);
  return found;
}

const isSamePlace = (one: Member, other: Member): boolean =>
  one.slot === other.slot && one.offset === other.offset;

const placeOf = ({ slot, offset, type }: Member, base: bigint): Place => ({
  slot: base + BigInt(slot),
  offset,
  type,
});

const placeText = ({ slot, offset }: Member): string =>
  offset === 0 ? `slot ${slot}` : `slot ${slot}, byte ${offset}`;

const typeText = ({ label, numberOfBytes, members }: StorageType): string =>
  members ? `${label} (${numberOfBytes} bytes)` : label;

/** First byte, and the byte after the last one, over all slots. */
function bytesOf({ slot, offset, type }: Member, layout: StorageLayout): readonly [bigint, bigint] {
  const start = BigInt(slot) * SLOT_BYTES + BigInt(offset);
  return [start, start + BigInt(typeOf(layout, type)?.numberOfBytes ?? '32')];
}

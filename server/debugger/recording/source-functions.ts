import type { SourceMap, SourceRange } from '../../contracts/sources/source-map';
import type { Program } from './program';
import { contractAround, isFunctionType, itemsOf } from './source-items';

/** A function as its source declares it. */
export interface SourceFunction {
  /** `constructor`, `fallback` and `receive` for those. */
  readonly name: string;
  /** That declares it: a contract or a library; empty for a function outside of them. */
  readonly contract: string;
  /** Of the whole declaration. */
  readonly range: SourceRange;
  /** Whether transactions and other contracts can call it. */
  readonly isPublic: boolean;
}

const HEAD = /^(?:function\b\s*([\w$]*)|(constructor|receive|fallback)\b)/;
/** Bytes of a declaration that are read. */
const HEAD_BYTES = 1_000;
/** Bytes of the functions that one may execute, up to which they are read. */
const MAX_BODIES = 1_000_000;
/** The same for all functions of a program: each may execute all others. */
const MAX_ALL_BODIES = 20_000_000;
/** Ranges that are compared for one place. Those of a compiler nest a few levels deep; others may overlap in any number. */
const MAX_AROUND = 1_000;
const VISIBILITY = /\b(external|public|internal|private)\b/;
const NAME = /[A-Za-z_$][\w$]*/g;

const tables = new WeakMap<SourceMap, FunctionTable>();

/** The functions of a program. */
export function functionsOf(program: Program): FunctionTable {
  const known = tables.get(program.map) ?? new FunctionTable(program);
  tables.set(program.map, known);
  return known;
}

/** The functions of the files that a program is compiled from. */
export class FunctionTable {
  /** By file, in the order of their starts. */
  readonly #inFile = new Map<number, Placed[]>();
  readonly #byRange = new Map<string, SourceFunction>();
  /** By offset of the code. */
  readonly #around = new Map<number, SourceFunction | undefined>();
  /** The functions that one may execute, itself included. */
  readonly #reached = new Map<SourceFunction, ReadonlySet<string> | undefined>();
  readonly #byName = new Map<string, SourceFunction[]>();
  #bodiesLeft = MAX_ALL_BODIES;

  constructor(private readonly program: Program) {
    for (const range of declaredRanges(program)) {
      const one = readFunction(program, range);
      if (one && !this.#byRange.has(keyOf(range))) this.#byRange.set(keyOf(range), one);
    }
    const all = [...this.#byRange.values()].sort((a, b) => a.range.start - b.range.start);
    for (const one of all) {
      const { file, start, length } = one.range;
      const inFile = this.#inFile.get(file) ?? [];
      this.#inFile.set(file, inFile);
      inFile.push({ one, lastEnd: Math.max(start + length, inFile.at(-1)?.lastEnd ?? 0) });
    }
    for (const one of this.#byRange.values()) {
      const same = this.#byName.get(one.name);
      if (same) same.push(one);
      else this.#byName.set(one.name, [one]);
    }
  }

  /** The function whose code begins at an offset: the compiler maps a function's entry to its declaration. */
  at(offset: number): SourceFunction | undefined {
    const range = this.program.map.at(offset);
    return range && this.#byRange.get(keyOf(range));
  }

  /** The only function of a name; undefined for overloads too. */
  named(name: string): SourceFunction | undefined {
    const [found, ...others] = this.#byName.get(name) ?? [];
    return others.length === 0 ? found : undefined;
  }

  /** The function in whose source an instruction is; the innermost one, since inline assembly has functions inside of functions. */
  around(offset: number): SourceFunction | undefined {
    if (this.#around.has(offset)) return this.#around.get(offset);
    const place = this.program.map.at(offset);
    const found = place && this.#innermost(place);
    this.#around.set(offset, found);
    return found;
  }

  #innermost({ file, start: at }: SourceRange): SourceFunction | undefined {
    const inFile = this.#inFile.get(file) ?? [];
    let found: SourceFunction | undefined;
    const last = lastFrom(inFile, at);
    for (let index = last; index >= 0 && index > last - MAX_AROUND; index--) {
      const { one, lastEnd } = inFile[index] ?? {};
      if (!one || lastEnd === undefined || lastEnd <= at) break;
      if (at < one.range.start + one.range.length) found = shorter(found, one);
    }
    return found;
  }

  /**
   * Whether an instruction has the place of a function that another one does not execute: the optimizer shares equal code between functions,
   * with the place of only one of them. It also inlines functions, whose names are in the source of the other one.
   */
  isForeign(own: SourceFunction | undefined, offset: number): boolean {
    const around = this.around(offset);
    if (!own || !around || own === around || around.name === 'constructor') return false;
    if (!this.#reached.has(own)) this.#reached.set(own, this.#namesFrom(own));
    return this.#reached.get(own)?.has(around.name) === false;
  }

  /** Names in the source of a function, and in those of the functions that it names; undefined if these sources are too long. */
  #namesFrom(caller: SourceFunction): ReadonlySet<string> | undefined {
    const names = new Set<string>();
    const done = new Set<SourceFunction>();
    const waiting = [caller];
    let left = MAX_BODIES;
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (done.has(next)) continue;
      done.add(next);
      const { file, start, length } = next.range;
      left -= length;
      this.#bodiesLeft -= length;
      if (left < 0 || this.#bodiesLeft < 0) return undefined;
      const text = this.program.text(file)?.slice(start, length) ?? '';
      const body = text.slice(text.indexOf('{'));
      for (const [name] of body.matchAll(NAME)) {
        if (names.has(name)) continue;
        names.add(name);
        for (const one of this.#byName.get(name) ?? []) waiting.push(one);
      }
    }
    return names;
  }
}

/** Ranges that may be functions: those of the map, and those of the texts. Only the latter have functions that the optimizer inlined. */
function* declaredRanges(program: Program): Generator<SourceRange> {
  const files = new Set<number>();
  for (const range of program.map.distinct()) {
    files.add(range.file);
    yield range;
  }
  for (const file of files) {
    const text = program.text(file);
    for (const { start, end } of text ? itemsOf(text).functions : []) {
      yield { file, start, length: end - start };
    }
  }
}

const keyOf = ({ file, start, length }: SourceRange): string => `${file}:${start}:${length}`;

/** A function, and the last end of it and of those that begin before it. */
interface Placed {
  readonly one: SourceFunction;
  readonly lastEnd: number;
}

/** Index of the last function that begins at a place or before it; -1 for none. */
function lastFrom(all: readonly Placed[], at: number): number {
  let [first, end] = [0, all.length];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((all[middle]?.one.range.start ?? 0) <= at) first = middle + 1;
    else end = middle;
  }
  return first - 1;
}

const shorter = (one: SourceFunction | undefined, other: SourceFunction): SourceFunction =>
  one && one.range.length < other.range.length ? one : other;

function readFunction(program: Program, range: SourceRange): SourceFunction | undefined {
  const { file, start, length } = range;
  const source = program.text(file);
  const text = source?.slice(start, Math.min(length, HEAD_BYTES));
  const head = text === undefined ? null : HEAD.exec(text);
  if (!source || !head || text === undefined || isFunctionType(source, start)) return undefined;
  const contract = contractAround(source, start);
  const signature = text.split(/[{;]/, 1)[0] ?? '';
  // Before Solidity 0.5, functions without a visibility were public.
  const visibility = VISIBILITY.exec(signature)?.[1] ?? 'public';
  // Before Solidity 0.6, the fallback function had no name.
  const name = head[1] === undefined ? (head[2] ?? '') : head[1] || 'fallback';
  return { name, contract, range, isPublic: visibility === 'external' || visibility === 'public' };
}

import type { SourceMap, SourceRange } from '../sources/source-map';
import type { Program } from './program';

/** A function as its source declares it. */
export interface SourceFunction {
  /** `constructor`, `fallback` and `receive` for those. */
  readonly name: string;
  /** Of the whole declaration. */
  readonly range: SourceRange;
  /** Whether transactions and other contracts can call it. */
  readonly isPublic: boolean;
}

const HEAD = /^(?:function\b\s*([\w$]*)|(constructor|receive|fallback)\b)/;
/** Bytes of a declaration that are read. */
const HEAD_BYTES = 1_000;
const VISIBILITY = /\b(external|public|internal|private)\b/;

const known = new WeakMap<SourceMap, Map<number, SourceFunction | undefined>>();

/** The function whose code begins at an offset: the compiler maps a function's entry to its declaration. */
export function functionAt(program: Program, offset: number): SourceFunction | undefined {
  const found = known.get(program.map) ?? new Map<number, SourceFunction | undefined>();
  known.set(program.map, found);
  if (found.has(offset)) return found.get(offset);
  const read = readFunction(program, offset);
  found.set(offset, read);
  return read;
}

function readFunction(program: Program, offset: number): SourceFunction | undefined {
  const range = program.map.at(offset);
  const text =
    range && program.text(range.file)?.slice(range.start, Math.min(range.length, HEAD_BYTES));
  const head = text === undefined ? null : HEAD.exec(text);
  if (!range || !head || text === undefined) return undefined;
  const signature = text.split(/[{;]/, 1)[0] ?? '';
  // Before Solidity 0.5, functions without a visibility were public.
  const visibility = VISIBILITY.exec(signature)?.[1] ?? 'public';
  // Before Solidity 0.6, the fallback function had no name.
  const name = head[1] === undefined ? (head[2] ?? '') : head[1] || 'fallback';
  return { name, range, isPublic: visibility === 'external' || visibility === 'public' };
}

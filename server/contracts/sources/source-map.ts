import { atOnce, type Work } from '../../kernel/async/slices';
import { sharedCode } from './shared-code';

/** A range of a source file that an instruction was compiled from. Offsets are bytes of UTF-8. */
export interface SourceRange {
  readonly start: number;
  readonly length: number;
  /** Id of the file within its compilation. */
  readonly file: number;
}

/** What the compiler says of a jump: into a function, or out of one. */
export type JumpKind = 'into' | 'out';

/** Numbers of an entry: start, length and file. */
const NUMBERS = 3;
/** Longest entry, in characters: five numbers of 15 digits. */
const MAX_ENTRY = 80;
/** Entries, or instructions, that are read between two pauses. */
const ENTRIES_PER_PAUSE = 4_096;
const JUMP_KINDS: ReadonlyMap<string, JumpKind> = new Map([
  ['i', 'into'],
  ['o', 'out'],
]);
const JUMP = 0x56;
const JUMPI = 0x57;
const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** A compiler's source map (Solidity documentation, "Source Mappings") with its code. */
export class SourceMap {
  /** Code that several statements share to revert, and all that they share: found when it is first asked for. */
  #reverts: ReadonlySet<number> | undefined;
  #shared: ReadonlySet<number> | undefined;

  private constructor(
    private readonly code: string,
    /** By instruction. */
    private readonly ranges: readonly SourceRange[],
    private readonly jumps: readonly (JumpKind | undefined)[],
    /** Offset in the code -> instruction; -1 inside the data of a PUSH. */
    private readonly instructions: Int32Array,
    /** By instruction. */
    private readonly opcodes: Uint8Array,
  ) {}

  /**
   * Reads a map, unless it has more entries than the code has instructions: no compiler wrote it for this code.
   * @param text entries `s:l:f:j:m` separated by `;`; an empty field repeats the previous one
   * @param code hex digits without `0x`; holes may contain anything of the right length
   */
  static *work(text: string, code: string): Work<SourceMap | undefined> {
    const { instructions, opcodes } = yield* instructionsWork(code);
    const entries = yield* entriesWork(text, opcodes.length);
    return entries && new SourceMap(code, entries.ranges, entries.jumps, instructions, opcodes);
  }

  /** The same without pauses. */
  static of(text: string, code: string): SourceMap | undefined {
    return atOnce(SourceMap.work(text, code));
  }

  /** The source range of the instruction at an offset in the code; undefined for generated code and data. */
  at(offset: number): SourceRange | undefined {
    const range = this.ranges[this.instructions[offset] ?? -1];
    return range && range.file >= 0 ? range : undefined;
  }

  /**
   * The source range of code that only one statement leads to: undefined also for code that several statements share to revert, which has
   * the range of one of them.
   */
  ownAt(offset: number): SourceRange | undefined {
    this.#reverts ??= sharedCode(this.code, (one) => this.at(one), 'reverts');
    return this.#reverts.has(offset) ? undefined : this.at(offset);
  }

  /** Whether several statements lead to the code at an offset, which has the range of one of them. */
  isSharedAt(offset: number): boolean {
    this.#shared ??= sharedCode(this.code, (one) => this.at(one), 'all');
    return this.#shared.has(offset);
  }

  /** The last range at or before an instruction, in code that is executed with it. */
  *upTo(offset: number): Generator<SourceRange> {
    for (let at = offset; at >= 0; at--) {
      const instruction = this.instructions[at] ?? -1;
      if (instruction < 0) continue;
      const opcode = this.opcodes[instruction] ?? 0;
      if (at < offset && (opcode === JUMP || opcode === JUMPI)) return;
      const range = this.ownAt(at);
      if (range) yield range;
      if (opcode === JUMPDEST) return;
    }
  }

  /** The kind of the jump at an offset in the code; undefined for other instructions, and for jumps within a function. */
  jumpAt(offset: number): JumpKind | undefined {
    return this.jumps[this.instructions[offset] ?? -1];
  }

  /**
   * Whether the map can be of this code and of these files: its ranges are inside their files, and only jumps enter and leave functions.
   * @param bytesOf length of a file in bytes; undefined for generated code, and if the text is unknown
   */
  *fitsWork(bytesOf: (file: number) => number | undefined): Work<boolean> {
    let before: SourceRange | undefined;
    for (const [index, range] of this.ranges.entries()) {
      if (index % ENTRIES_PER_PAUSE === 0) yield ENTRIES_PER_PAUSE;
      const opcode = this.opcodes[index];
      if (this.jumps[index] !== undefined && opcode !== JUMP && opcode !== JUMPI) return false;
      if (range !== before && !isInside(range, bytesOf)) return false;
      before = range;
    }
    return true;
  }

  /** Ids of the files that have code. */
  *filesWork(): Work<ReadonlySet<number>> {
    const files = new Set<number>();
    for (const [index, { file }] of this.ranges.entries()) {
      if (index % ENTRIES_PER_PAUSE === 0) yield ENTRIES_PER_PAUSE;
      if (file >= 0) files.add(file);
    }
    return files;
  }

  /** Each range once, in the order of the code. */
  *distinct(): Generator<SourceRange> {
    const seen = new Set<string>();
    for (const range of this.ranges) {
      const key = `${range.file}:${range.start}:${range.length}`;
      if (range.file < 0 || seen.has(key)) continue;
      seen.add(key);
      yield range;
    }
  }
}

interface Entries {
  ranges: SourceRange[];
  jumps: (JumpKind | undefined)[];
}

/** @returns undefined if there are more entries than `most` */
function* entriesWork(text: string, most: number): Work<Entries | undefined> {
  const entries: Entries = { ranges: [], jumps: [] };
  let last = [0, 0, -1];
  let range: SourceRange | undefined;
  let jump: string | undefined;
  let end = -1;
  while (end < text.length) {
    if (entries.ranges.length === most) return undefined;
    if (entries.ranges.length % ENTRIES_PER_PAUSE === 0) yield ENTRIES_PER_PAUSE;
    const start = end + 1;
    end = text.indexOf(';', start);
    if (end < 0) end = text.length;
    if (end - start > MAX_ENTRY) return undefined;
    const entry = text.slice(start, end);
    if (entry !== '' || !range) {
      const fields = entry.split(':', NUMBERS + 1);
      last = last.map((before, index) => (fields[index] ? Number(fields[index]) : before));
      const [start = 0, length = 0, file = -1] = last;
      range = { start, length, file };
      const kind = fields[NUMBERS];
      if (kind) jump = kind;
    }
    entries.ranges.push(range);
    entries.jumps.push(jump === undefined ? undefined : JUMP_KINDS.get(jump));
  }
  return entries;
}

function isInside(
  { start, length, file }: SourceRange,
  bytesOf: (file: number) => number | undefined,
): boolean {
  if (file === -1) return true;
  return [start, length, file].every(isCount) && start + length <= (bytesOf(file) ?? Infinity);
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

interface Instructions {
  instructions: Int32Array;
  opcodes: Uint8Array;
}

function* instructionsWork(code: string): Work<Instructions> {
  const bytes = Math.floor(code.length / 2);
  const instructions = new Int32Array(bytes).fill(-1);
  const opcodes = new Uint8Array(bytes);
  let instruction = 0;
  for (let offset = 0; offset < bytes; offset++) {
    const opcode = parseInt(code.slice(offset * 2, offset * 2 + 2), 16);
    if (instruction % ENTRIES_PER_PAUSE === 0) yield ENTRIES_PER_PAUSE;
    opcodes[instruction] = opcode;
    instructions[offset] = instruction++;
    if (opcode >= PUSH1 && opcode <= PUSH32) offset += opcode - PUSH1 + 1;
  }
  return { instructions, opcodes: opcodes.subarray(0, instruction) };
}

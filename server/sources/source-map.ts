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
  /** By instruction. */
  private readonly ranges: readonly SourceRange[];
  private readonly jumps: readonly (JumpKind | undefined)[];
  /** Offset in the code -> instruction; -1 inside the data of a PUSH. */
  private readonly instructions: Int32Array;
  /** By instruction. */
  private readonly opcodes: Uint8Array;
  /** Code that several statements share to revert, and all that they share: found when it is first asked for. */
  private reverts: ReadonlySet<number> | undefined;
  private shared: ReadonlySet<number> | undefined;

  /**
   * @param text entries `s:l:f:j:m` separated by `;`; an empty field repeats the previous one
   * @param code hex digits without `0x`; holes may contain anything of the right length
   */
  constructor(
    text: string,
    private readonly code: string,
  ) {
    ({ ranges: this.ranges, jumps: this.jumps } = readEntries(text));
    ({ instructions: this.instructions, opcodes: this.opcodes } = readInstructions(code));
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
    this.reverts ??= sharedCode(this.code, (one) => this.at(one), 'reverts');
    return this.reverts.has(offset) ? undefined : this.at(offset);
  }

  /** Whether several statements lead to the code at an offset, which has the range of one of them. */
  isSharedAt(offset: number): boolean {
    this.shared ??= sharedCode(this.code, (one) => this.at(one), 'all');
    return this.shared.has(offset);
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
   * Whether the map can be of this code and of these files: it has no more entries than the code has instructions, its ranges are inside
   * their files, and only jumps enter and leave functions.
   * @param bytesOf length of a file in bytes; undefined for generated code, and if the text is unknown
   */
  fits(bytesOf: (file: number) => number | undefined): boolean {
    return (
      this.ranges.length <= this.opcodes.length &&
      this.jumps.every((jump, index) => {
        const opcode = this.opcodes[index];
        return jump === undefined || opcode === JUMP || opcode === JUMPI;
      }) &&
      [...new Set(this.ranges)].every(({ start, length, file }) => {
        if (file === -1) return true;
        const bytes = bytesOf(file) ?? Infinity;
        return [start, length, file].every(isCount) && start + length <= bytes;
      })
    );
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

function readEntries(text: string): Entries {
  const entries: Entries = { ranges: [], jumps: [] };
  let last = [0, 0, -1];
  let range: SourceRange | undefined;
  let jump: string | undefined;
  for (const entry of text.split(';')) {
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

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

interface Instructions {
  instructions: Int32Array;
  opcodes: Uint8Array;
}

function readInstructions(code: string): Instructions {
  const bytes = Math.floor(code.length / 2);
  const instructions = new Int32Array(bytes).fill(-1);
  const opcodes = new Uint8Array(bytes);
  let instruction = 0;
  for (let offset = 0; offset < bytes; offset++) {
    const opcode = parseInt(code.slice(offset * 2, offset * 2 + 2), 16);
    opcodes[instruction] = opcode;
    instructions[offset] = instruction++;
    if (opcode >= PUSH1 && opcode <= PUSH32) offset += opcode - PUSH1 + 1;
  }
  return { instructions, opcodes: opcodes.subarray(0, instruction) };
}

import type { SourceRange } from './source-map';

const [JUMP, JUMPI, JUMPDEST, REVERT, INVALID] = [0x56, 0x57, 0x5b, 0xfd, 0xfe];
const STOP = 0x00;
const RETURN = 0xf3;
const ENDS: ReadonlySet<number> = new Set([JUMP, JUMPI, STOP, RETURN, REVERT, INVALID]);
const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** Blocks that jump to one another before the last one reverts. */
const MAX_CHAIN = 4;

interface Block {
  readonly offsets: number[];
  /** Offsets of the instructions that run into it; empty where a jump alone leads to it. */
  readonly before: readonly number[];
  /** Where a jump at its end leads, if the code says so. */
  target?: number | undefined;
  reverts: boolean;
}

interface Push {
  readonly offset: number;
  readonly width: number;
  readonly value: number;
}

/**
 * Finds the code that several statements share. The optimizer keeps one of several equal blocks, with the source of one of the
 * statements: code that leads there pushes the block's offset, and belongs to others.
 * @param code hex digits without `0x`
 * @param rangeAt source of the instruction at an offset
 * @param which reverts: only code that reverts at last
 * @returns offsets of the instructions of such blocks, whose source is not known by themselves
 */
export function sharedCode(
  code: string,
  rangeAt: (offset: number) => SourceRange | undefined,
  which: 'reverts' | 'all',
): ReadonlySet<number> {
  const { blocks, pushes, width } = readBlocks(code);
  const sources = new Map<number, SourceRange[]>();
  for (const push of pushes) {
    if (push.width !== width || !blocks.has(push.value)) continue;
    const range = rangeAt(push.offset);
    if (!range) continue;
    const known = sources.get(push.value);
    if (known) known.push(range);
    else sources.set(push.value, [range]);
  }
  const found = new Set<number>();
  for (const [start, block] of blocks) {
    const own = rangeAt(start);
    const ranges = sources.get(start) ?? [];
    if (!own || (which === 'reverts' && !revertsAtLast(block, blocks))) continue;
    // Code of the compiler itself has other files.
    const lastBefore = block.before.findLast((offset) => rangeAt(offset)?.file === own.file);
    const runsInto = lastBefore === undefined ? undefined : rangeAt(lastBefore);
    const hasOwn = [...ranges, ...(runsInto ? [runsInto] : [])].some((one) => isSame(one, own));
    const isShared = hasOwn && ranges.some((range) => !overlaps(range, own));
    if (isShared) for (const offset of block.offsets) found.add(offset);
  }
  return found;
}

/** Blocks that begin at a jump destination and have no other way than to their end. */
function readBlocks(code: string): { blocks: Map<number, Block>; pushes: Push[]; width: number } {
  const bytes = Buffer.from(code.replace(/[^0-9a-f]/gi, '0'), 'hex');
  const blocks = new Map<number, Block>();
  const pushes: Push[] = [];
  /** Bytes of a pushed destination: the compiler uses one width in a contract. */
  let width = 0;
  let open: Block | undefined;
  /** Instructions since the last jump or end. */
  let straight: number[] = [];
  let last: Push | undefined;
  for (let offset = 0; offset < bytes.length; offset++) {
    const opcode = bytes[offset] ?? 0;
    if (opcode === JUMPDEST) {
      open = { offsets: [], before: straight, reverts: false };
      blocks.set(offset, open);
      straight = [];
    }
    straight.push(offset);
    open?.offsets.push(offset);
    if (opcode === JUMP || opcode === JUMPI) width = Math.max(width, last?.width ?? 0);
    if (opcode === JUMP && open) open.target = last?.value;
    if (opcode === REVERT || opcode === INVALID) if (open) open.reverts = true;
    if (ENDS.has(opcode)) open = undefined;
    if (ENDS.has(opcode)) straight = [];
    last = undefined;
    if (opcode < PUSH1 || opcode > PUSH32) continue;
    const size = opcode - PUSH1 + 1;
    if (size <= 4 && offset + size < bytes.length) {
      last = { offset, width: size, value: bytes.readUIntBE(offset + 1, size) };
      pushes.push(last);
    }
    offset += size;
  }
  return { blocks, pushes, width };
}

function revertsAtLast(block: Block, blocks: ReadonlyMap<number, Block>): boolean {
  let at: Block | undefined = block;
  for (let count = 0; at && count < MAX_CHAIN; count++) {
    if (at.reverts) return true;
    at = at.target === undefined ? undefined : blocks.get(at.target);
  }
  return false;
}

const isSame = (a: SourceRange, b: SourceRange): boolean =>
  a.file === b.file && a.start === b.start && a.length === b.length;

const overlaps = (a: SourceRange, b: SourceRange): boolean =>
  a.file === b.file && a.start < b.start + b.length && b.start < a.start + a.length;

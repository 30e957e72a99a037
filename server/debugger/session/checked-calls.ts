import { operandsAt } from '../../evm/interpreter/eip8024';
import { DUPN } from '../../evm/interpreter/opcodes';
import { statementStart } from '../recording/source-statements';
import type { DebuggedTransaction } from './debugged-transaction';
import { hasFailed } from './passed-failures';

const LAST_OF_ARITHMETIC = 0x1d;
const UNARY: ReadonlySet<number> = new Set([0x15, 0x19]);
/** Instructions that replace the last word that they take by their result: KECCAK256, loads, calls and the like. */
const REPLACING: ReadonlySet<number> = new Set([
  0x20, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x51, 0x54, 0x5c, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa,
]);
const [SSTORE, JUMPI, TSTORE, LOG0, LOG4] = [0x55, 0x57, 0x5d, 0xa0, 0xa4];
const [DUP1, DUP16, SWAP1, SWAP16] = [0x80, 0x8f, 0x90, 0x9f];
/** Instructions of a caller from its call to its own failure. */
const MAX_STEPS = 2_000;
const TRY = /^\s*try\b/;
const LONGEST_HEAD = 200;

/**
 * The failed call that a caller checks before it fails itself, as in `require(ok)` after `(bool ok, ) = a.call(…)`. A `try` statement catches
 * the failure instead.
 * @returns index of the call's frame; undefined if the caller fails for another reason
 */
export function checkedCall(debugged: DebuggedTransaction, caller: number): number | undefined {
  const { recording } = debugged;
  const { frames } = recording;
  const from = frames[caller];
  const call = frames.findLastIndex((one) => one.parent === caller && one.endStep > one.firstStep);
  const to = frames[call];
  if (!from || !to || !hasFailed(from) || !hasFailed(to)) return undefined;
  if (from.endStep - to.endStep > MAX_STEPS || isTried(debugged, to.firstStep - 1))
    return undefined;
  return failsByCheck(debugged, caller, to.endStep, from.endStep) ? call : undefined;
}

function isTried(debugged: DebuggedTransaction, step: number): boolean {
  const own = debugged.calls.calls[debugged.calls.callOf[step] ?? -1];
  const known = own && debugged.codeOf(own.frame)?.program;
  if (own && known?.viaIR === true && known.optimizer === true) {
    // It keeps no place of the call: the whole function is asked.
    const { file, start, length } = own.function?.range ?? { file: -1, start: 0, length: 0 };
    return /\btry\b/.test(known.text(file)?.slice(start, length) ?? '');
  }
  const placed = debugged.placedStep(step);
  if (placed === undefined) return false;
  const { frame, pc } = debugged.recording.at(placed);
  const program = debugged.codeOf(frame)?.program;
  const range = program?.map.at(pc);
  const text = range && program?.text(range.file);
  if (!range || !text) return false;
  return TRY.test(text.slice(statementStart(text, range.start), LONGEST_HEAD));
}

/** Follows the word that says whether the call succeeded, through the stack, to the jump that leads to the failure. */
function failsByCheck(
  { recording, calls }: DebuggedTransaction,
  frame: number,
  first: number,
  end: number,
): boolean {
  const code = recording.frames[frame]?.context.code ?? new Uint8Array(0);
  let tracked = new Set([recording.heightAt(first) - 1]);
  let isChecked = false;
  for (let step = first; step < end; step++) {
    const { pc } = recording.at(step);
    const op = code[pc] ?? 0;
    const height = recording.heightAt(step);
    const next = step + 1 < end ? recording.heightAt(step + 1) : height;
    if (op === SSTORE || op === TSTORE || (op >= LOG0 && op <= LOG4)) return false;
    if (op === JUMPI) {
      const isOwn = tracked.has(height - 2);
      if (isOwn || calls.isHelper[step] !== 1) isChecked = isOwn;
    }
    tracked = moved(tracked, { code, pc }, height, next);
  }
  return isChecked;
}

/** The places below the top that an instruction exchanges; undefined for others. */
function exchangedBy(code: Uint8Array, pc: number): readonly [number, number] | undefined {
  const op = code[pc] ?? 0;
  if (op >= SWAP1 && op <= SWAP16) return [0, op - SWAP1 + 1];
  const [one, other] = op === DUPN ? [] : (operandsAt(code, pc) ?? []);
  if (one === undefined) return undefined;
  return other === undefined ? [0, one] : [one, other];
}

/** Where the word is after an instruction. @param height of the stack before it @param next after it */
function moved(
  tracked: ReadonlySet<number>,
  { code, pc }: { readonly code: Uint8Array; readonly pc: number },
  height: number,
  next: number,
): Set<number> {
  const op = code[pc] ?? 0;
  const exchanged = exchangedBy(code, pc);
  if (exchanged) {
    const [one, other] = [height - 1 - exchanged[0], height - 1 - exchanged[1]];
    return new Set([...tracked].map((at) => (at === one ? other : at === other ? one : at)));
  }
  const kept = new Set([...tracked].filter((at) => at < Math.min(height, next)));
  const depth = op === DUPN ? operandsAt(code, pc)?.[0] : op - DUP1 + 1;
  if (op === DUPN || (op >= DUP1 && op <= DUP16)) {
    if (tracked.has(height - (depth ?? 0))) kept.add(height);
    return kept;
  }
  if (op > 0 && op <= LAST_OF_ARITHMETIC) {
    const used = UNARY.has(op) ? [height - 1] : [height - 1, height - 2];
    if (used.some((at) => tracked.has(at))) kept.add(next - 1);
    else kept.delete(next - 1);
    return kept;
  }
  if (REPLACING.has(op)) kept.delete(next - 1);
  return kept;
}

import { isCreation } from '../../analysis/call-frame';
import { selectorOf } from '../../analysis/decoding/call';
import type { SourcePlace } from '../../api/source-locations';
import {
  DECLARATION_BYTES,
  findFunction,
  type WantedFunction,
} from '../../sources/function-ranges';
import type { DebuggedTransaction } from './debugged-transaction';

/** Declaration of a call's function; undefined if its source is not known. */
export function declarationOf(
  debugged: DebuggedTransaction,
  index: number,
): SourcePlace | undefined {
  const call = debugged.calls.calls[index];
  const program = call && debugged.programOf(call.frame);
  if (!program) return undefined;
  const range =
    call.function?.range ??
    findFunction(program.map.distinct(), wanted(debugged, call.frame), (one) =>
      program.text(one.file)?.slice(one.start, Math.min(one.length, DECLARATION_BYTES)),
    );
  return range && program.text(range.file)?.place(range.start, range.length);
}

/** The function that the caller of a frame asked for. */
function wanted(debugged: DebuggedTransaction, index: number): WantedFunction {
  const frame = debugged.callFrame(index);
  if (isCreation(frame)) return { kind: 'constructor' };
  if (frame.input === '0x') return { kind: 'receive' };
  const selector = selectorOf(frame.input);
  const { contracts } = debugged.recorded.located.known;
  const contract = frame.to === null ? undefined : contracts.get(frame.to);
  const [fragment] = (selector && contract?.interface?.functions(selector)) ?? [];
  if (!fragment) return { kind: 'fallback' };
  return { kind: 'function', name: fragment.name, types: fragment.inputs.map(({ type }) => type) };
}

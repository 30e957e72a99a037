import { isCreation } from '../../analysis/call-frame';
import { selectorOf } from '../../analysis/decoding/call';
import type { SourcePlace } from '../../api/source-locations';
import { inSlices } from '../../kernel/async/slices';
import {
  DECLARATION_BYTES,
  DeclaredFunctions,
  type WantedFunction,
} from '../../contracts/sources/function-ranges';
import type { ContractProgram } from '../../contracts/sources/program-source';
import type { DebuggedTransaction } from './debugged-transaction';

/** Declaration of a call's function; undefined if its source is not known. */
export async function declarationOf(
  debugged: DebuggedTransaction,
  index: number,
  signal: AbortSignal,
): Promise<SourcePlace | undefined> {
  const call = debugged.calls.calls[index];
  const program = call && debugged.programOf(call.frame);
  if (!program) return undefined;
  const range =
    call.function?.range ?? (await declaredIn(program, signal)).find(wanted(debugged, call.frame));
  return range && program.text(range.file)?.place(range.start, range.length);
}

type Declaring = Pick<ContractProgram, 'map' | 'text'>;

const known = new WeakMap<Declaring, DeclaredFunctions>();

async function declaredIn(program: Declaring, signal: AbortSignal): Promise<DeclaredFunctions> {
  const work = DeclaredFunctions.work(program.map.distinct(), ({ file, start, length }) =>
    program.text(file)?.slice(start, Math.min(length, DECLARATION_BYTES)),
  );
  const declared = known.get(program) ?? (await inSlices(work, signal));
  known.set(program, declared);
  return declared;
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

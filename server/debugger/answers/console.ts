import { CONSOLE, consoleText } from '../../analysis/decoding/console';
import { LIMITS } from '../../api/limits';
import type { ConsoleLines } from '../../api/recording-console';
import { visibleLines } from '../../api/visible-text';
import { inSlices, type Work } from '../../kernel/async/slices';
import type { DebuggedTransaction } from '../session/debugged-transaction';

const PAUSE = 16_384;

/** @throws the signal's reason */
export const consoleAnswer = (
  debugged: DebuggedTransaction,
  signal: AbortSignal,
): Promise<ConsoleLines> => inSlices(consoleWork(debugged), signal);

function* consoleWork(debugged: DebuggedTransaction): Work<ConsoleLines> {
  const lines: ConsoleLines['lines'] = [];
  let total = 0;
  for (const [index, { parent, context, firstStep }] of debugged.recording.frames.entries()) {
    if (index % PAUSE === PAUSE - 1) yield PAUSE;
    if (parent === undefined || context.codeAddress !== CONSOLE) continue;
    const text = textOf(context.input);
    yield 1;
    if (text === undefined || ++total > LIMITS.consoleLines) continue;
    const { step, call } = statementOf(debugged, firstStep - 1); // the instruction that calls
    const place = debugged.placeAt(step);
    lines.push({
      step,
      call,
      contract: debugged.codes.codeOf[parent] ?? null,
      text,
      ...(place && { place }),
    });
  }
  return { lines, total };
}

/** Where the code calls the library that has `log`: the steps in that library are left out. */
function statementOf(
  debugged: DebuggedTransaction,
  step: number,
): { readonly step: number; readonly call: number } {
  const { calls, callOf } = debugged.calls;
  const library = debugged.declaringContractOf(callOf[step] ?? 0);
  let [at, call] = [step, callOf[step] ?? 0];
  while (library !== undefined && debugged.declaringContractOf(call) === library) {
    const { kind, parent, firstStep = 0 } = calls[call] ?? {};
    if (kind !== 'internal' || parent === undefined) break;
    [at, call] = [firstStep - 1, parent];
  }
  return { step: at, call };
}

function textOf(input: Uint8Array): string | undefined {
  if (input.length > LIMITS.consoleData) return `(a message of ${input.length} bytes)`;
  const text = consoleText(`0x${Buffer.from(input).toString('hex')}`);
  return text === undefined ? undefined : visibleLines(text);
}

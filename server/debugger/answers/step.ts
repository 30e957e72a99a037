import type { RecordedStep } from '../../api/recording';
import { inSlices } from '../../kernel/async/slices';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { OPCODES } from '../../evm/interpreter/opcodes';
import { requireStep } from './positions';

/** @throws ApiError `invalidField`; the signal's reason */
export async function stepAnswer(
  debugged: DebuggedTransaction,
  step: number,
  signal: AbortSignal,
): Promise<RecordedStep> {
  requireStep(debugged, step);
  const { recording, calls, codes } = debugged;
  const { pc, frame: index, gas } = recording.at(step);
  const machine = await inSlices(recording.stateWork(step), signal);
  const frame = machine.frames.at(-1);
  const place = debugged.placeAt(step);
  const failure = failureAt(debugged, step, index);
  const uncertain = debugged.whyUncertain(step);
  return {
    step,
    revision: debugged.revision,
    call: calls.callOf[step] ?? 0,
    contract: codes.codeOf[index] ?? 0,
    pc,
    op: operationAt(debugged, index, pc),
    gas,
    ...(place && { place }),
    ...(place && uncertain !== undefined && { uncertain }),
    callStack: callStack(debugged, step),
    stack: frame?.stack.map((word) => `0x${word.toString(16)}`) ?? [],
    memorySize: frame?.memory.size ?? 0,
    returnDataSize: frame?.returned.length ?? 0,
    callDataSize: frame?.context.input.length ?? 0,
    ...(failure !== undefined && { failure }),
  };
}

function operationAt(debugged: DebuggedTransaction, frame: number, pc: number): string {
  const byte = debugged.codeOf(frame)?.code[pc] ?? 0;
  return OPCODES[byte]?.name ?? 'INVALID';
}

/** Calls that fail at a step are those whose last step it is: the innermost one. */
function failureAt(debugged: DebuggedTransaction, step: number, frame: number): string | undefined {
  const isLast = debugged.recording.frames[frame]?.endStep === step + 1;
  return isLast ? debugged.failureOf(frame) : undefined;
}

function callStack(debugged: DebuggedTransaction, step: number): RecordedStep['callStack'] {
  const { calls, callOf } = debugged.calls;
  const stack: RecordedStep['callStack'] = [];
  let at = step;
  for (let index: number | undefined = callOf[step]; index !== undefined;) {
    const call = calls[index];
    const frame = debugged.recording.frames[call?.frame ?? -1];
    if (!call || !frame) break;
    const { pc } = debugged.recording.at(at);
    const place = debugged.placeAt(at);
    const declaringContract = debugged.declaringContractOf(index);
    stack.push({
      call: index,
      step: at,
      pc,
      contract: debugged.codes.codeOf[call.frame] ?? 0,
      kind: call.kind,
      operation: call.kind === 'external' ? frame.context.kind : 'JUMP',
      address: frame.context.address,
      function: debugged.functionOf(index),
      ...(declaringContract !== undefined && { declaringContract }),
      ...(place && { place }),
    });
    // The instruction before a call's first one made it.
    at = call.firstStep - 1;
    index = call.parent;
  }
  return stack;
}

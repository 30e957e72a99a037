import type { Writer } from '../../api/recording-writers';
import type { DebuggedTransaction } from '../session/debugged-transaction';

/** Where a write or a read is. @param step undefined for the transaction itself, before its first step */
export function writerPlace(
  debugged: DebuggedTransaction,
  step: number | undefined,
): Pick<Writer, 'step' | 'call' | 'contractName' | 'function' | 'place' | 'uncertain'> {
  const call = step === undefined ? 0 : (debugged.calls.callOf[step] ?? 0);
  const code = debugged.codeOf(debugged.calls.calls[call]?.frame ?? 0);
  const place = step === undefined ? undefined : debugged.placeAt(step);
  const uncertain = step === undefined || !place ? undefined : debugged.whyUncertain(step);
  return {
    step: step ?? null,
    call,
    contractName: code === undefined ? '' : debugged.nameOf(code),
    function: step === undefined ? '' : debugged.functionOf(call),
    ...(place && { place }),
    ...(uncertain !== undefined && { uncertain }),
  };
}

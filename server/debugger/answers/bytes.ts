import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { Bytes } from '../../api/recording';
import { inSlices } from '../../kernel/async/slices';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import type { Frame } from '../../evm/interpreter/frame';
import { openFrame, requireStep } from './positions';

export interface BytesQuery {
  readonly of: 'memory' | 'calldata' | 'returndata' | 'code';
  readonly call?: number | undefined;
  readonly offset?: number | undefined;
  readonly length?: number | undefined;
}

/** @throws ApiError `invalidField`; the signal's reason */
export async function bytesAnswer(
  debugged: DebuggedTransaction,
  step: number,
  { of, call, offset = 0, length = LIMITS.recordedBytesPage }: BytesQuery,
  signal: AbortSignal,
): Promise<Bytes> {
  requireStep(debugged, step);
  if (length > LIMITS.recordedBytesPage) {
    throw invalidField('length', length, `a whole number up to ${LIMITS.recordedBytesPage}`);
  }
  const machine = await inSlices(debugged.recording.stateWork(step), signal);
  const frame = openFrame(debugged, machine, call);
  const size = sizeOf(frame, of);
  const read = Math.max(0, Math.min(length, size - offset));
  const data = Buffer.from(part(frame, of, offset, read)).toString('hex');
  return { offset, data: `0x${data}`, size };
}

const sizeOf = (frame: Frame, of: BytesQuery['of']): number =>
  of === 'memory' ? frame.memory.size : listOf(frame, of).length;

const part = (frame: Frame, of: BytesQuery['of'], from: number, length: number): Uint8Array =>
  of === 'memory'
    ? frame.memory.read(from, length)
    : listOf(frame, of).subarray(from, from + length);

function listOf({ context, returned }: Frame, of: BytesQuery['of']): Uint8Array {
  if (of === 'calldata') return context.input;
  return of === 'code' ? context.code : returned;
}

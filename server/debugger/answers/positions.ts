import { invalidField } from '../../api/errors';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import type { Frame } from '../../evm/interpreter/frame';
import type { Machine } from '../../evm/interpreter/machine';

/** @throws ApiError `invalidField` */
export function requireStep({ recording }: DebuggedTransaction, step: number, name = 'step'): void {
  if (step < recording.steps) return;
  const accepted =
    recording.steps === 0
      ? 'none: the transaction executes no code'
      : `0 to ${recording.steps - 1}: the recording has ${recording.steps} steps`;
  throw invalidField(name, step, accepted);
}

/**
 * The call frame of a call that is open at a step.
 * @param call index of a call; undefined: the innermost
 * @throws ApiError `invalidField`
 */
export function openFrame(
  { calls, recording }: DebuggedTransaction,
  machine: Machine,
  call: number | undefined,
): Frame {
  const step = machine.steps;
  const found = calls.calls[call ?? calls.callOf[step] ?? 0];
  const isOpen = found && found.firstStep <= step && step < found.endStep;
  const frame = isOpen && machine.frames.find(({ index }) => index === found.frame);
  if (frame) return frame;
  const innermost = recording.steps > 0 ? (calls.callOf[step] ?? 0) : 0;
  throw invalidField(
    'call',
    call,
    `a call of the call stack at step ${step}, such as ${innermost}`,
  );
}

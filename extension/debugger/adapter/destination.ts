import * as l10n from '@vscode/l10n';
import { ApiError, invalidField } from '../../../server/api/errors';
import { firstLineOf, firstStop, readFirstStop, type FirstStopFound } from './launch';
import type { RecordedTransaction } from './recorded-transaction';

/** A place that the debugger can be moved to; without one it is the entry. */
export interface Destination {
  step?: number;
  /** Of which codes the step is; default: those of the session. */
  build?: string;
  node?: number;
  call?: number;
  at?: 'entry' | 'failure';
}

/** @throws ApiError `invalidField` for a place that is not in the recording, or executes no code */
export async function destinationOf(
  recorded: RecordedTransaction,
  { step, build, node, call, at }: Destination,
  signal: AbortSignal,
): Promise<Omit<FirstStopFound, 'remark'>> {
  requireBuild(recorded.recording.build, build);
  if (step !== undefined) return { step: requireStep(recorded, step, 'step'), reason: 'goto' };
  const wanted = readFirstStop(call === undefined ? (node ?? at ?? 'entry') : { call });
  const { remark, ...found } = await firstStop(recorded, wanted, signal);
  if (remark !== undefined) throw new ApiError('invalidField', remark);
  return found;
}

/** @throws ApiError `invalidField` for what is no step of the recording */
export function requireStep(
  { recording: { steps } }: RecordedTransaction,
  step: unknown,
  name: string,
): number {
  if (Number.isInteger(step) && Number(step) >= 0 && Number(step) < steps) return Number(step);
  throw invalidField(name, step, `a whole number below ${steps}`);
}

/** @throws ApiError `invalidField` for a step of another build than the session's */
function requireBuild(own: string, given: string | undefined): void {
  if (given === undefined || given === own) return;
  throw invalidField(
    'build',
    given,
    l10n.t('{0}, which this session debugs: switch the build first', own),
  );
}

/** The first line of a call, else its first step. @throws ApiError `invalidField` that names the field */
export async function firstStepOf(
  recorded: RecordedTransaction,
  index: number,
  field: 'frameId' | 'targetId',
  signal: AbortSignal,
): Promise<number> {
  const call = await recorded.call(index);
  if (call !== undefined) return (await firstLineOf(recorded, call, signal)) ?? call.firstStep;
  throw field === 'frameId'
    ? invalidField(field, index + 1, 'a frame of the call stack')
    : invalidField(field, index, 'a call that the line makes');
}

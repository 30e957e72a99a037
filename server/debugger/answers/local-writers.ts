import { invalidField } from '../../api/errors';
import type { Writer, Writers } from '../../api/recording-writers';
import { inSlices } from '../../kernel/async/slices';
import type { LocalAccess } from '../languages/port/variables';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { openFrame, requireStep } from './positions';
import { writerPlace } from './writer-place';
import type { WantedLocal, WritersQuery } from './writers-query';

interface Page extends Pick<WritersQuery, 'access'> {
  readonly start: number;
  readonly count: number;
}

/** What writes and reads a local variable. @throws ApiError `invalidField`; the signal's reason */
export async function localWriters(
  debugged: DebuggedTransaction,
  { name, step, call }: WantedLocal,
  { access, start, count }: Page,
  signal: AbortSignal,
): Promise<Omit<Writers, 'build'>> {
  requireStep(debugged, step);
  const { recording, variables, calls, nodes } = debugged;
  const machine = await inSlices(recording.stateWork(step), signal);
  const { index, context } = openFrame(debugged, machine, call);
  const own = call ?? calls.callOf[step] ?? 0;
  const found = await inSlices(variables.accessesWork(name, step, own), signal);
  if (!found) {
    const accepted = `an argument, a result or a local variable that is visible at step ${step}`;
    throw invalidField('variable', name, accepted);
  }
  const { accesses, ...more } = found;
  const wanted = accesses.filter((one) => isWanted(one, access));
  const writers = wanted
    .slice(start, start + count)
    .map(({ isRead, before, after, step: at }): Writer => ({
      kind: 'local',
      access: isRead ? 'read' : 'write',
      address: context.address,
      ...writerPlace(debugged, at),
      nodeId: nodes.ofFrame.get(index) ?? null,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      isUndone: false,
    }));
  return { writers, total: wanted.length, ...more };
}

const isWanted = ({ isRead, isChange }: LocalAccess, access: WritersQuery['access']): boolean =>
  access === 'readWrite' || (access === 'read' ? isRead : !isRead && isChange);

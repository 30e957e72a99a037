import * as l10n from '@vscode/l10n';
import { Event, StoppedEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Found } from '../../../server/api/recording-search';
import { writtenValue } from '../../../server/client/written-value';
import { consoleOutput } from './console-output';
import { isOneWord } from './data-id';
import { placeInRecording } from './place-in-recording';
import type { PlaceBreakpoints } from './place-breakpoints';
import type { Returned } from './returned';
import type { Viewed } from './viewed';

/** The only thread. */
export const THREAD = 1;

/** Why the debugger stops. */
export interface StopCause {
  reason: Exclude<Found['reason'], 'unfinished'> | 'pause' | 'goto';
  /** What happened, in words. */
  text?: string;
  /** Of the breakpoints that are hit. */
  ids?: readonly number[];
  /** By the call that has just ended. */
  returned?: Returned;
}

/** The protocol's reasons; others are the same. */
const REASONS: Partial<Record<StopCause['reason'], string>> = {
  line: 'breakpoint',
  function: 'function breakpoint',
  instruction: 'instruction breakpoint',
  data: 'data breakpoint',
  failure: 'exception',
};

/** What happened at a stop: a variable is named as its breakpoint is, with its values. */
export function causeText(
  { reason, text, ids, written }: Pick<Found, 'reason' | 'text' | 'ids' | 'written'>,
  breakpoints: Pick<PlaceBreakpoints, 'variableOf'>,
): string {
  const variable = reason === 'data' ? breakpoints.variableOf(ids) : undefined;
  if (variable === undefined) return text;
  const { name, type, slot } = variable;
  if (text.startsWith('read ')) return l10n.t('Read of {0}', name);
  if (!written || !isOneWord(slot)) return l10n.t('Write of {0}', name);
  const [before, after] = [written.before, written.after].map((word) =>
    writtenValue(type, word, slot),
  );
  return l10n.t('Write of {0}: {1}', name, `${before} → ${after}`);
}

/** The events that tell a client that the debugger has stopped. @param from the step of the stop before */
export async function stopEvents(
  viewed: Pick<Viewed, 'recorded' | 'sources' | 'lines' | 'stop'>,
  from: number,
  cause: StopCause,
  { supportsMemoryEvent = false }: Partial<DebugProtocol.InitializeRequestArguments>,
): Promise<DebugProtocol.Event[]> {
  const { recorded, stop } = viewed;
  const { call, memorySize, failure } = await recorded.step(stop.step);
  const stopped = new StoppedEvent('', THREAD);
  stopped.body = stoppedBody(cause, failure);
  // An open view of memory shows that of the new step.
  const memory = { memoryReference: `memory:${call}`, offset: 0, count: memorySize };
  return [
    ...(await consoleOutput(viewed, from, stop.step)),
    stopped,
    await placeEvent(viewed),
    ...(supportsMemoryEvent ? [new Event('memory', memory)] : []),
  ];
}

/** Tells those that follow the session where it is, and which sources it has. */
export const placeEvent = async (
  viewed: Pick<Viewed, 'recorded' | 'sources' | 'stop'>,
): Promise<DebugProtocol.Event> => new Event('forklens/stopped', await placeInRecording(viewed));

const endText = (failure: string): string =>
  failure === ''
    ? l10n.t('End of the transaction')
    : l10n.t('End of the transaction, which failed: {0}', failure);

/** @param failure the decoded error, where a call fails at this step */
function stoppedBody(
  { reason, text = '', ids = [] }: StopCause,
  failure: string | undefined,
): DebugProtocol.StoppedEvent['body'] {
  const isFailure = reason === 'failure';
  const error = failure ?? (isFailure ? text : '');
  const shown = isFailure || text === '' ? error : text;
  const description = reason === 'end' ? endText(error) : shown;
  return {
    reason: REASONS[reason] ?? reason,
    threadId: THREAD,
    allThreadsStopped: true,
    ...(description !== '' && { description }),
    ...(isFailure && error !== '' && { text: error }),
    ...(ids.length > 0 && { hitBreakpointIds: [...ids] }),
  };
}

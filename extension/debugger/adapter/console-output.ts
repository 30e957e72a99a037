import * as l10n from '@vscode/l10n';
import { OutputEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { ConsoleLines } from '../../../server/api/recording-console';
import type { Viewed } from './viewed';

/**
 * What the code logs by `console.log` on the way from a step to a later one, each message with its statement.
 * @returns none on the way back
 */
export async function consoleOutput(
  { recorded, sources, lines }: Pick<Viewed, 'recorded' | 'sources' | 'lines'>,
  from: number,
  to: number,
): Promise<DebugProtocol.Event[]> {
  if (to <= from) return [];
  const { lines: logged, total } = await recorded.consoleLines();
  const passed = logged.filter(({ step }) => step >= from && step < to);
  const events = await Promise.all(passed.map((one) => outputOf({ sources, lines }, one)));
  const last = logged.at(-1);
  if (last === undefined || total === logged.length || passed.at(-1) !== last) return events;
  const omitted = l10n.t('{0} further messages of console.log are left out', total - logged.length);
  return [...events, new OutputEvent(`${omitted}\n`, 'console')];
}

async function outputOf(
  { sources, lines }: Pick<Viewed, 'sources' | 'lines'>,
  { text, place, contract }: ConsoleLines['lines'][number],
): Promise<DebugProtocol.Event> {
  const event: DebugProtocol.OutputEvent = new OutputEvent(`${text}\n`, 'stdout');
  if (place === undefined || contract === null) return event;
  const { line, column } = lines.place(place);
  event.body = { ...event.body, source: await sources.of(contract, place.file), line, column };
  return event;
}

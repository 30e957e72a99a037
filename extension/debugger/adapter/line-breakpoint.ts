import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { FindRequest } from '../../../server/api/recording-search';
import { whyUnusable } from './check-breakpoints';
import { readHits } from './hit-counts';
import type { Lines } from './lines';
import type { RecordedFile, RecordedTransaction } from './recorded-transaction';
import { stopLine } from './source-lines';

export type Breakpoint = DebugProtocol.Breakpoint & { id: number };
export type LineBreakpoint = FindRequest['lines'][number];
export type Refused = Breakpoint & { message: string };

/**
 * Finds where a breakpoint that a client wants on a line stops.
 * @param file undefined: the transaction has no such file
 * @returns the breakpoint, or why there is none
 */
export async function lineBreakpoint(
  recorded: RecordedTransaction,
  clientLines: Lines,
  wanted: DebugProtocol.SourceBreakpoint & { id: number },
  file: RecordedFile | undefined,
): Promise<LineBreakpoint | Refused> {
  const { id, logMessage: message } = wanted;
  if (file === undefined) {
    return refused(
      id,
      l10n.t(
        'This transaction executes no code of this file, or the file is not the text that was compiled.',
      ),
    );
  }
  const { hits, refusal } = readHits(wanted.hitCondition);
  if (refusal !== undefined) return refused(id, refusal);
  const { hasLines = false, unavailable = '' } = recorded.recording.contracts[file.contract] ?? {};
  if (!hasLines) {
    return refused(id, l10n.t('The lines of this file are not known: {0}.', unavailable));
  }
  const executed = await recorded.lines(file);
  const { content } = await recorded.file(file.contract, file.file);
  const line = stopLine(executed, content, clientLines.fromClient(wanted.line));
  if (line === undefined) {
    return refused(id, l10n.t('This transaction does not execute this line.'));
  }
  const breakpoint = {
    id,
    ...file,
    line,
    ...conditionOf(wanted.condition),
    ...(hits !== undefined && { hits }),
    ...(message !== undefined && { message }),
  };
  const reason = await whyUnusable(recorded, { lines: [breakpoint] });
  return reason === undefined ? breakpoint : refused(id, reason);
}

export const refused = (id: number, message: string): Refused => ({
  id,
  verified: false,
  message,
});

export const conditionOf = (condition: string | undefined): { condition?: string } =>
  condition === undefined || condition.trim() === '' ? {} : { condition };

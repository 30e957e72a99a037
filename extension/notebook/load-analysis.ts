import * as l10n from '@vscode/l10n';
import {
  LIST_OF,
  type PartId,
  type PartMessage,
  type PartRequest,
  type Parts,
  type Source,
} from '../../media/inspector/protocol/protocol';
import { EVERYTHING } from '../../media/inspector/export/formats';
import type { Exported } from '../../media/inspector/export/report';
import { ApiError, errorOfCode } from '../../server/api/errors';
import { BookError } from '../../server/client/book/book';

/** Opens a channel to one analysis, which runs outside of the extension host's thread. */
export interface Analyses {
  open(
    source: Source,
    receive: (message: PartMessage) => void,
  ): { send(request: PartRequest): void; close(): void };
}

/** Text of an analysis in an output, in UTF-16 units: the editor keeps outputs in memory, in several processes. */
const MAX_TEXT = 16_000_000;
const WANTED: readonly PartId[] = ['flow', ...EVERYTHING, 'sourceLocations'];

/**
 * Loads all parts of an analysis that a saved page has. Parts other than the flow are left out if they fail.
 * @throws ApiError of the service, or `cancelled`; BookError if the analysis is too large for an output
 */
export function loadAnalysis(
  analyses: Analyses,
  source: Source,
  signal: AbortSignal,
): Promise<Exported> {
  return new Promise<Exported>((resolve, reject) => {
    const heads = new Map<PartId, { head: object; total: number; items: unknown[] }>();
    const pending = new Set(WANTED);
    let size = 0;
    const channel = analyses.open(source, receive);
    const end = (finish: () => void): void => {
      channel.close();
      signal.removeEventListener('abort', cancel);
      finish();
    };
    const fail = (error: Error): void => {
      end(() => {
        reject(error);
      });
    };
    const cancel = (): void => {
      fail(new ApiError('cancelled', 'cancelled'));
    };

    function settle(part: PartId): void {
      pending.delete(part);
      if (pending.size > 0) return;
      end(() => {
        const parts = [...heads].map(([id, { head, items }]) => [
          id,
          { ...head, [LIST_OF[id]]: items },
        ]);
        resolve(Object.fromEntries(parts) as Pick<Parts, 'flow'>);
      });
    }

    function receive(message: PartMessage): void {
      const { part } = message;
      if (message.type === 'head') {
        heads.set(part, { head: message.head, total: message.total, items: [] });
        if (message.total === 0) settle(part);
      } else if (message.type === 'slice') {
        const arrival = heads.get(part);
        size += message.items.length;
        if (size > MAX_TEXT) {
          fail(
            new BookError(
              l10n.t(
                'The analysis has more than {0} million characters, the most that a book takes: open the transaction in the inspector.',
                MAX_TEXT / 1e6,
              ),
            ),
          );
          return;
        }
        channel.send({ type: 'taken', part });
        for (const item of JSON.parse(message.items) as unknown[]) arrival?.items.push(item);
        if (arrival && arrival.items.length >= arrival.total) settle(part);
      } else if (message.type === 'failed') {
        if (part === 'flow') fail(errorOfCode(message.failure.code, message.failure.message));
        else settle(part);
      }
    }

    if (signal.aborted) {
      cancel();
      return;
    }
    signal.addEventListener('abort', cancel);
    for (const part of WANTED) channel.send({ type: 'load', part });
  });
}

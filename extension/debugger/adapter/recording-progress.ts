import { ProgressEndEvent, ProgressStartEvent, ProgressUpdateEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { OnProgress } from '../../../server/api/progress';
import { progressInWords } from '../../../server/client/format';

/** Names the progress in a request to cancel it. */
export const RECORDING_PROGRESS = 'recording';

/** Runs work, and sends its progress to the client. */
export async function withProgressEvents<T>(
  title: string,
  send: (event: DebugProtocol.Event) => void,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const start: DebugProtocol.ProgressStartEvent = new ProgressStartEvent(RECORDING_PROGRESS, title);
  start.body.cancellable = true;
  send(start);
  try {
    return await work((progress) => {
      const update: DebugProtocol.ProgressUpdateEvent = new ProgressUpdateEvent(
        RECORDING_PROGRESS,
        progressInWords(progress),
      );
      const { done, total } = progress;
      if (total > 0) update.body.percentage = Math.min(100, (100 * done) / total);
      send(update);
    });
  } finally {
    send(new ProgressEndEvent(RECORDING_PROGRESS));
  }
}

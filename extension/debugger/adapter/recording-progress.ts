import * as l10n from '@vscode/l10n';
import { ProgressEndEvent, ProgressStartEvent, ProgressUpdateEvent } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { OnProgress } from '../../../server/api/progress';
import type { ApiClient } from '../../../server/api/client';
import { ApiError } from '../../../server/api/errors';
import type { Recording } from '../../../server/api/recording';
import { progressInWords, shortHex } from '../../../server/client/format';
import { record, type Launch } from './launch';

/** Names the progress in a request to cancel it. */
export const RECORDING_PROGRESS = 'recording';

/** Makes a recording, or gets it, and shows how far it is. @throws ApiError also where there is nothing to step through */
export async function recordWithProgress(
  client: ApiClient,
  launch: Launch,
  send: (event: DebugProtocol.Event) => void,
  signal: AbortSignal,
): Promise<Recording> {
  const { hash } = launch;
  const title =
    hash === undefined
      ? l10n.t('Recording the simulation')
      : l10n.t('Recording {0}', shortHex(hash));
  const recording = await withProgressEvents(title, send, (onProgress) =>
    record(client, launch, { signal, onProgress }),
  );
  if (recording.steps === 0) {
    const text = l10n.t('this transaction executes no code: there is nothing to step through');
    throw new ApiError('recordingUnsupported', text);
  }
  return recording;
}

/** Runs work, and sends its progress to the client. */
async function withProgressEvents<T>(
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

import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { OnProgress } from '../../server/api/progress';
import { UserCancelledError } from '../model/errors';
import { progressInWords } from '../../server/client/format';

/** The editor shows a notification for almost a second: for shorter work it would only flash. */
const QUICK_MS = 500;

/**
 * Runs work, and shows a cancellable notification if it takes long.
 * @param title with an ellipsis: `Creating fork "nightly"…`
 * @param work receives a signal that aborts its requests, and a function to report progress
 * @throws UserCancelledError as soon as the user cancels, even if the work has not stopped yet
 */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let show: OnProgress = () => undefined;
  const working = work(controller.signal, (progress) => {
    show(progress);
  });
  const settled = working.then(
    () => true,
    () => true,
  );
  if (await Promise.race([settled, delay(QUICK_MS, false)])) return working;
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (notification, token) => {
      show = (progress) => {
        notification.report({ message: progressInWords(progress) });
      };
      const cancelled = new Promise<never>((_resolve, reject) => {
        controller.signal.addEventListener('abort', () => {
          reject(new UserCancelledError());
        });
      });
      const subscription = token.onCancellationRequested(() => {
        controller.abort();
      });
      try {
        return await Promise.race([working, cancelled]);
      } finally {
        subscription.dispose();
      }
    },
  );
}

import * as vscode from 'vscode';
import { UserCancelledError } from '../errors';

/**
 * Runs long work with a notification that can be cancelled.
 * @param title with an ellipsis: `Creating fork "nightly"…`
 * @param work gets a signal that ends its requests
 * @throws UserCancelledError at once when the user cancels, however long the work takes to notice
 */
export async function withProgress<T>(
  title: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (_progress, token) => {
      const controller = new AbortController();
      const cancelled = new Promise<never>((_resolve, reject) => {
        controller.signal.addEventListener('abort', () => {
          reject(new UserCancelledError());
        });
      });
      const subscription = token.onCancellationRequested(() => {
        controller.abort();
      });
      try {
        return await Promise.race([work(controller.signal), cancelled]);
      } finally {
        subscription.dispose();
      }
    },
  );
}

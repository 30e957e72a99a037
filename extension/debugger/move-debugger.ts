import * as vscode from 'vscode';
import { ApiError } from '../../server/api/errors';
import type { ToWebview } from '../../media/inspector/protocol/protocol';
import type { FirstStop } from '../model/debugging';
import type { ShownFrame } from './adapter/stack-frames';

/** How long the editor may take to show a stop, and then a panel. */
const SHOWN_MS = 30_000;

/**
 * Moves a debugger. With a panel, the source opens beside it and the panel has the focus afterwards: by itself, the editor would open the
 * source over the panel, and focus it.
 * @throws ApiError with the adapter's message
 */
export async function moveDebugger(
  session: vscode.DebugSession,
  to: FirstStop,
  panel: vscode.WebviewPanel | undefined,
): Promise<void> {
  const place = typeof to === 'object' ? to : typeof to === 'number' ? { node: to } : { at: to };
  try {
    if (panel === undefined) {
      await session.customRequest('forklens/goTo', place);
      return;
    }
    const { source, frameId } = (await session.customRequest(
      'forklens/frameAt',
      place,
    )) as ShownFrame;
    if (source?.path !== undefined) {
      const uri =
        source.sourceReference === undefined
          ? uriOf(source.path)
          : vscode.debug.asDebugSourceUri(source, session);
      // The editor reports a source that cannot be opened, when it shows the stop.
      await showBeside(panel, uri).catch(() => undefined);
    }
    const [isShown] = await Promise.all([
      nextShownStop(session, frameId),
      session.customRequest('forklens/goTo', place),
    ]);
    if (!isShown || !(await activate(panel))) return;
    await panel.webview.postMessage({ type: 'takeFocus' } satisfies ToWebview);
  } catch (error) {
    throw new ApiError('invalidField', error instanceof Error ? error.message : String(error));
  }
}

/** Sources that are not on the disk have addresses. */
const uriOf = (path: string): vscode.Uri =>
  /^[a-z][a-z0-9+.-]+:/i.test(path) ? vscode.Uri.parse(path, true) : vscode.Uri.file(path);

/** Shows a document in another column than the panel's, unless it is in view. */
async function showBeside(panel: vscode.WebviewPanel, uri: vscode.Uri): Promise<void> {
  const isShown = vscode.window.visibleTextEditors.some(
    ({ document }) => document.uri.toString() === uri.toString(),
  );
  if (isShown) return;
  const { One, Two } = vscode.ViewColumn;
  const viewColumn = panel.viewColumn === One ? Two : One;
  await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: true });
}

/**
 * Makes a panel the active editor. The editor does so some time after it was asked, and moves the focus then: out of the panel's document
 * if that has it already.
 * @returns false: the panel was closed, or did not become active
 */
async function activate(panel: vscode.WebviewPanel): Promise<boolean> {
  if (panel.active) return true;
  const listeners: vscode.Disposable[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, SHOWN_MS, false);
      listeners.push(
        panel.onDidDispose(() => {
          resolve(false);
        }),
        panel.onDidChangeViewState(() => {
          if (panel.active) resolve(true);
        }),
      );
      panel.reveal(undefined, false);
    });
  } finally {
    clearTimeout(timer);
    for (const listener of listeners) listener.dispose();
  }
}

/**
 * Resolves when the editor has selected this frame of the session, which it does after it has opened and focused its source. Other frames
 * belong to stops before.
 * @returns false: it did not select it, as while another session is in view
 */
function nextShownStop(
  session: vscode.DebugSession,
  frameId: number | undefined,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isShown: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isShown);
    };
    const timer = setTimeout(() => {
      end(false);
    }, SHOWN_MS);
    const listener = vscode.debug.onDidChangeActiveStackItem((item) => {
      if (!(item instanceof vscode.DebugStackFrame) || item.session.id !== session.id) return;
      if (item.frameId === frameId) end(true);
    });
  });
}

// Entry of a bundle of its own, which a window loads when it opens a book.
import '../editor/translations';
import type * as vscode from 'vscode';
import type { CommandContext } from '../model/command-context';
import { deserializeBook, serializeBook } from './book-serializer';
import { BookKernel } from './book-kernel';
import { registerBindingItems } from './binding-items';
import { bindNotebook } from './bind-notebook';
import { createNotebook } from './create-notebook';
import { exportNotebook } from './export-notebook';
import type { Analyses } from './load-analysis';
import { followOutputs } from './output-messages';
import { Replays } from './replays';

export interface BookServices extends Pick<
  CommandContext,
  'client' | 'service' | 'memento' | 'log'
> {
  analyses: Analyses;
  extensionUri: vscode.Uri;
  /** Ends with the window. */
  subscriptions: vscode.ExtensionContext['subscriptions'];
}

/** Opens, runs and exports books. */
export interface Notebooks {
  read(bytes: Uint8Array): vscode.NotebookData;
  write(data: vscode.NotebookData): Uint8Array;
  create(): Promise<void>;
  bind(): Promise<void>;
  exportReport(): Promise<void>;
}

export function openNotebooks(services: BookServices): Notebooks {
  const replays = new Replays();
  services.subscriptions.push(
    new BookKernel(services, replays),
    followOutputs(services.client, replays),
    registerBindingItems(services),
  );
  return {
    read: deserializeBook,
    write: serializeBook,
    create: () => createNotebook(services),
    bind: () => bindNotebook(services),
    exportReport: () => exportNotebook(services.extensionUri),
  };
}

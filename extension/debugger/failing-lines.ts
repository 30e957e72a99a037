import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleText } from '../../server/api/visible-text';
import type { CommandId } from '../model/commands';
import type { DebuggedCall, Debugging, FailingLine } from '../model/debugging';

const COMMAND: CommandId = 'forklens.changeAndRunAgain';
const MAX_REASON = 120;
/** Also sources that are on no disk. */
const SOURCES: vscode.DocumentSelector = [{ language: 'solidity' }, { pattern: '**/*.sol' }];

const ANNOUNCE_MS = 500;
const MOST_ANNOUNCEMENTS = 60;

/**
 * Announces that lenses are others until the editor asks for them: it drops an announcement when its text loses the focus, as to the widget
 * of an exception.
 */
class LensChanges implements vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly event = this.#changes.event;
  #timer: NodeJS.Timeout | undefined;

  announce(): void {
    let left = MOST_ANNOUNCEMENTS;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      this.#changes.fire();
      left--;
      if (left === 0) this.noticed();
    }, ANNOUNCE_MS);
    this.#changes.fire();
  }

  noticed(): void {
    clearInterval(this.#timer);
  }

  dispose(): void {
    this.noticed();
    this.#changes.dispose();
  }
}

interface Failure extends FailingLine {
  subject: DebuggedCall['subject'];
}

/** Shows beside the line at which a debugger stands why a call fails there, and above it the command that runs it again with changes. */
export function registerFailingLines(debugging: Debugging): vscode.Disposable {
  const type = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('errorForeground'), margin: '0 0 0 3em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  const changes = new LensChanges();
  let hasFailures = false;
  const failuresIn = (document: vscode.TextDocument): Failure[] =>
    debugging.calls.flatMap(({ failure, subject }) =>
      failure && isOf(document, failure) ? [{ ...failure, subject }] : [],
    );
  const show = (): void => {
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      editor.setDecorations(
        type,
        failuresIn(document).map((failure) => reasonBeside(document, failure)),
      );
    }
    const hadFailures = hasFailures;
    hasFailures = debugging.calls.some(({ failure }) => failure !== undefined);
    if (hasFailures || hadFailures) changes.announce();
  };
  return vscode.Disposable.from(
    type,
    changes,
    debugging.onDidChange(show),
    vscode.window.onDidChangeVisibleTextEditors(show),
    vscode.languages.registerCodeLensProvider(SOURCES, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses: (document) => {
        const failures = failuresIn(document);
        if (failures.length > 0 || !hasFailures) changes.noticed();
        return failures.map(({ line, subject, reason }) => {
          const title = l10n.t('$(edit) Change Argument and Run Again');
          const { range } = document.lineAt(line - 1);
          return new vscode.CodeLens(range, {
            title,
            command: COMMAND,
            arguments: [subject],
            tooltip: l10n.t('The call fails here: {0}', visibleText(reason)),
          });
        });
      },
    }),
  );
}

function isOf({ uri, lineCount }: vscode.TextDocument, { path, line }: FailingLine): boolean {
  const own = uri.scheme === 'file' ? uri.fsPath : uri.toString();
  const wanted = uri.scheme === 'file' ? vscode.Uri.file(path).fsPath : path;
  return line <= lineCount && own === wanted;
}

function reasonBeside(
  document: vscode.TextDocument,
  { line, reason }: FailingLine,
): vscode.DecorationOptions {
  const text = visibleText(reason);
  const short = text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text;
  return {
    range: document.lineAt(line - 1).range,
    hoverMessage: new vscode.MarkdownString().appendText(text),
    renderOptions: { after: { contentText: `✗ ${short}` } },
  };
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { grouped } from '../../server/client/format';
import { DEBUG_TYPE } from '../model/debugging';

interface Line {
  /** From 1. */
  line: number;
  count: number;
  gas: number;
}

/** Marks the lines that the debugged transaction executes, with their gas. Off until the command switches it on. */
export class ExecutedLines {
  #isOn = false;
  readonly #line = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 3em' },
  });

  register(): vscode.Disposable {
    const show = (): void => {
      void this.#show();
    };
    return vscode.Disposable.from(
      this.#line,
      vscode.window.onDidChangeVisibleTextEditors(show),
      vscode.debug.onDidChangeActiveDebugSession(show),
    );
  }

  async toggle(): Promise<void> {
    this.#isOn = !this.#isOn;
    await this.#show();
  }

  async #show(): Promise<void> {
    await Promise.all(
      vscode.window.visibleTextEditors.map(async (editor) => {
        const lines = this.#isOn ? await executedIn(editor.document) : [];
        editor.setDecorations(this.#line, lines.flatMap(decorationOf(editor.document)));
      }),
    );
  }
}

async function executedIn({ uri }: vscode.TextDocument): Promise<Line[]> {
  const session = vscode.debug.activeDebugSession;
  if (session?.type !== DEBUG_TYPE) return [];
  const source = { path: uri.scheme === 'file' ? uri.fsPath : uri.toString() };
  try {
    const answer = (await session.customRequest('forklens/lines', { source })) as { lines: Line[] };
    return answer.lines;
  } catch {
    return []; // the session has ended
  }
}

const decorationOf =
  (document: vscode.TextDocument) =>
  ({ line, count, gas }: Line): vscode.DecorationOptions[] => {
    if (line > document.lineCount) return [];
    const times = count === 1 ? '' : l10n.t(' · {0} times', grouped(count));
    const contentText = l10n.t('{0} gas', grouped(gas)) + times;
    return [{ range: document.lineAt(line - 1).range, renderOptions: { after: { contentText } } }];
  };

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Commands of this window alone: their argument is an item of the Test Explorer. */
const RUN = 'forklens.foundryTest.run';
const DEBUG = 'forklens.foundryTest.debug';

/** What runs tests. */
export interface TestRunner {
  /** Fires when the tests are others. */
  readonly onDidList: vscode.Event<void>;
  /** The tests that a file declares. */
  testsIn(uri: vscode.Uri): readonly vscode.TestItem[];
  run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void>;
  debug(
    request: vscode.TestRunRequest,
    item: vscode.TestItem,
    token: vscode.CancellationToken,
  ): Promise<void>;
}

/** Shows "Run Test" and "Debug Test" above the tests of Foundry. */
export function registerTestLenses(runner: TestRunner): vscode.Disposable {
  const { token } = new vscode.CancellationTokenSource();
  const requestOf = (item: vscode.TestItem): vscode.TestRunRequest =>
    new vscode.TestRunRequest([item]);
  return vscode.Disposable.from(
    vscode.commands.registerCommand(RUN, (item: vscode.TestItem) =>
      runner.run(requestOf(item), token),
    ),
    vscode.commands.registerCommand(DEBUG, (item: vscode.TestItem) =>
      runner.debug(requestOf(item), item, token),
    ),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: '**/*.sol' },
      {
        onDidChangeCodeLenses: runner.onDidList,
        provideCodeLenses: ({ uri }) =>
          runner.testsIn(uri).flatMap((item) => {
            const { range } = item;
            if (!range) return [];
            const lens = (title: string, command: string): vscode.CodeLens =>
              new vscode.CodeLens(range, {
                title,
                command,
                arguments: [item],
              });
            return [
              lens(l10n.t('$(play) Run Test'), RUN),
              lens(l10n.t('$(debug-alt) Debug Test'), DEBUG),
            ];
          }),
      },
    ),
  );
}

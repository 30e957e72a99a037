import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** Commands of this window alone: their argument is an item of the Test Explorer. */
const RUN = 'forklens.foundryTest.run';
const DEBUG = 'forklens.foundryTest.debug';

/** What runs tests. */
export interface TestRunner {
  /** The tests that a file declares. */
  testsIn(uri: vscode.Uri): readonly vscode.TestItem[];
  run(item: vscode.TestItem): Promise<void>;
  debug(item: vscode.TestItem): Promise<void>;
}

/** Shows "Run Test" and "Debug Test" above the tests of Foundry. @param changes fires when they are others */
export function registerTestLenses(
  runner: TestRunner,
  changes: vscode.EventEmitter<void>,
): vscode.Disposable {
  return vscode.Disposable.from(
    changes,
    vscode.commands.registerCommand(RUN, (item: vscode.TestItem) => runner.run(item)),
    vscode.commands.registerCommand(DEBUG, (item: vscode.TestItem) => runner.debug(item)),
    vscode.languages.registerCodeLensProvider(
      { scheme: 'file', pattern: '**/*.sol' },
      {
        onDidChangeCodeLenses: changes.event,
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

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isDataDocument } from '../decoded-data/data-mark';
import type { CommandContext } from '../model/command-context';
import type { CommandId, Commands } from '../model/commands';

type OpenCommands = Pick<
  Commands,
  | 'forklens.open'
  | 'forklens.copyData'
  | 'forklens.simulateData'
  | 'forklens.chooseSignature'
  | 'forklens.showParties'
>;

/** Opens what the user pasted. What it takes to read it is in a bundle of its own. */
export function openCommands(context: CommandContext): OpenCommands {
  return {
    'forklens.open': async () => (await import('./open-bundle')).openAnything(context),
    'forklens.copyData': async (uri) => (await import('./open-bundle')).copyData(uri),
    'forklens.simulateData': async (uri) =>
      (await import('./open-bundle')).simulateData(context, uri),
    'forklens.showParties': async ({ node }) => {
      if (node.kind !== 'blockTransaction') return;
      await (await import('./open-bundle')).showParties(node);
    },
    'forklens.chooseSignature': async (uri) =>
      (await import('./open-bundle')).chooseSignature(context, uri),
  };
}

/** Shows the actions of a document of decoded data above its first line. */
export function registerDataLenses(): vscode.Disposable {
  const lenses: readonly { title: string; command: CommandId }[] = [
    { title: l10n.t('$(play) Simulate'), command: 'forklens.simulateData' },
    { title: l10n.t('$(copy) Copy encoded'), command: 'forklens.copyData' },
    { title: l10n.t('$(list-selection) Other signature'), command: 'forklens.chooseSignature' },
  ];
  return vscode.languages.registerCodeLensProvider(
    { language: 'jsonc' },
    {
      provideCodeLenses: (document) => {
        if (!isDataDocument(document.lineAt(0).text)) return [];
        const range = document.lineAt(0).range;
        const args = { arguments: [document.uri] };
        return lenses.map((lens) => new vscode.CodeLens(range, { ...lens, ...args }));
      },
    },
  );
}

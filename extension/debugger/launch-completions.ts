import * as vscode from 'vscode';
import type { ApiClient } from '../model/api-client';
import { DEBUG_TYPE } from '../model/debugging';
import type { ShownTransaction } from './launch-suggestions';

const LAUNCH_FILES: vscode.DocumentSelector = { scheme: '*', pattern: '**/.vscode/launch.json' };

/** Completes chains, forks and hashes in `launch.json`. */
export const registerLaunchCompletions = (
  client: ApiClient,
  shown: () => readonly ShownTransaction[],
): vscode.Disposable =>
  vscode.languages.registerCompletionItemProvider(
    LAUNCH_FILES,
    {
      provideCompletionItems: async (document, position) => {
        const { launchFieldAt, launchSuggestions } = await import('./launch-values');
        const field = launchFieldAt(document.getText(), document.offsetAt(position));
        if (field?.fields['type'] !== DEBUG_TYPE) return [];
        const range = new vscode.Range(
          document.positionAt(field.start),
          document.positionAt(field.end),
        );
        const suggestions = await launchSuggestions(field, client, shown());
        return suggestions.map(({ value, label, detail }, index) => {
          const item = new vscode.CompletionItem({ label, description: detail });
          item.kind = vscode.CompletionItemKind.Value;
          item.insertText = value;
          item.filterText = `${label} ${value} ${detail}`;
          // Before the editor's own items, which are variables such as `${cwd}`.
          item.sortText = `!${String(index).padStart(4, '0')}`;
          item.range = range;
          return item;
        });
      },
    },
    '"',
  );

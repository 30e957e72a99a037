import * as vscode from 'vscode';
import type { CommandContext } from '../model/command-context';
import type { Commands } from '../model/commands';
import { CASE_EDITOR } from './case-editor-id';
import type { CaseContext } from './cases-bundle';

type CaseCommands = Pick<
  Commands,
  'forklens.saveAsCase' | 'forklens.openCase' | 'forklens.closeCase'
>;

/** Registers the editor of case files. What writes and opens them is in a bundle of its own. */
export function registerCases(
  context: CommandContext,
  show: CaseContext['show'],
): [vscode.Disposable, CaseCommands] {
  const load = () => import('./cases-bundle');
  type Bundle = Awaited<ReturnType<typeof load>>;
  let cases: CaseContext | undefined;
  const contextOf = ({ CaseTrust }: Bundle): CaseContext => {
    const { client, inspector, comparisons, log, memento } = context;
    cases ??= { client, inspector, comparisons, log, show, trust: new CaseTrust(memento) };
    return cases;
  };
  return [
    vscode.window.registerCustomEditorProvider(CASE_EDITOR, {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: async ({ uri }, panel) => {
        const bundle = await load();
        await bundle.showCaseFile(contextOf(bundle), uri, panel);
      },
    }),
    {
      'forklens.saveAsCase': async (given) => {
        const bundle = await load();
        await bundle.saveAsCase(contextOf(bundle), given);
      },
      'forklens.openCase': async () => (await load()).askCaseFile(),
      'forklens.closeCase': async () => (await load()).closeCase(context.client),
    },
  ];
}

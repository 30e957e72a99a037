import * as vscode from 'vscode';
import { BOOK_TYPE } from '../model/book-type';
import type { Commands } from '../model/commands';
import type { BookServices, Notebooks } from './notebook-bundle';

/** Must equal the type in the manifest. */

/** Registers the notebooks of the extension. What opens and runs them is in a bundle of its own. */
export function registerNotebook(
  services: BookServices,
): [
  vscode.Disposable,
  Pick<Commands, 'forklens.newNotebook' | 'forklens.bindNotebook' | 'forklens.exportNotebook'>,
] {
  let notebooks: Notebooks | undefined;
  const load = async (): Promise<Notebooks> => {
    const { openNotebooks } = await import('./notebook-bundle');
    return (notebooks ??= openNotebooks(services));
  };
  return [
    vscode.workspace.registerNotebookSerializer(
      BOOK_TYPE,
      {
        deserializeNotebook: async (bytes) => (await load()).read(bytes),
        serializeNotebook: async (data) => (await load()).write(data),
      },
      // Outputs hold whole analyses of many kB. Running a cell gives them again, and a report keeps them.
      { transientOutputs: true },
    ),
    {
      'forklens.newNotebook': async () => (await load()).create(),
      'forklens.bindNotebook': async () => (await load()).bind(),
      'forklens.exportNotebook': async () => (await load()).exportReport(),
    },
  ];
}

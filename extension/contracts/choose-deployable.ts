import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { FOREIGN_FOLDERS } from '../../server/client/build-output';
import { pickContract } from '../build-output/pick-contract';
import { declaredContracts } from '../build-output/solidity-functions';
import { UserCancelledError } from '../model/errors';
import type { ContractTarget } from '../model/targets';
import { pick } from '../ui/quick-input';

/** A contract to deploy, by its source or by its artifact. */
export type Deployable = ContractTarget | { artifact: string };

/** Most sources of the workspace that are read for their contracts. */
const MAX_SOURCES = 500;

/**
 * The contract of a source or an artifact; without either, one of the active editor's source, else of the workspace's sources.
 * @throws UserCancelledError after a message, if there is none
 */
export async function chooseDeployable(uri: vscode.Uri | undefined): Promise<Deployable> {
  if (uri?.path.endsWith('.json') === true) return { artifact: uri.fsPath };
  const active = vscode.window.activeTextEditor?.document.uri;
  const source = uri ?? (active?.path.endsWith('.sol') === true ? active : undefined);
  const texts = { title: l10n.t('Deploy on Fork'), placeholder: l10n.t('Contract to deploy') };
  return source === undefined
    ? pickOfWorkspace(texts)
    : pickContract(texts, source, ({ kind }) => kind !== 'abstract');
}

/** Asks for a contract of the workspace's sources, without those of dependencies, tests and scripts. */
export async function pickOfWorkspace(texts: {
  title: string;
  placeholder: string;
}): Promise<ContractTarget> {
  const found = await vscode.workspace.findFiles('**/*.sol', FOREIGN_FOLDERS, MAX_SOURCES);
  const sources = found.filter(({ path }) => !/\.[ts]\.sol$/.test(path));
  const lists = await Promise.all(
    sources.map(async (uri) => {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      return declaredContracts(text)
        .filter(({ kind }) => kind === 'contract')
        .map(({ contract }) => ({
          label: contract,
          description: vscode.workspace.asRelativePath(uri),
          value: { contract, source: uri.fsPath },
        }));
    }),
  );
  const items = lists.flat().sort((one, other) => one.label.localeCompare(other.label));
  if (items.length === 0) {
    void vscode.window.showWarningMessage(
      l10n.t('The workspace has no Solidity source that declares a contract.'),
    );
    throw new UserCancelledError();
  }
  return (await pick({ ...texts, items: Promise.resolve(items) })).value;
}

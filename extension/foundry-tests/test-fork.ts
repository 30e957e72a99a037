import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { forkRpc, rpcUrlOf } from '../../server/client/fork-rpc';
import type { ForkedTests } from '../../server/client/forge';
import { readTestFork } from '../editor/settings';
import type { ApiClient } from '../model/api-client';
import { forkItem, listAllForks } from '../ui/pickers';

/** @returns the fork that the workspace's tests run on, with its newest block; undefined for none @throws Error if it is not there */
export async function forkOfTests(
  client: ApiClient,
  signal: AbortSignal,
): Promise<ForkedTests | undefined> {
  const chosen = readTestFork();
  if (chosen === '') return undefined;
  const forks = (await listAllForks(client, signal)).map(({ fork }) => fork);
  const fork = forks.find(({ forkId, name }) => forkId === chosen || name === chosen);
  if (!fork) {
    throw new Error(
      l10n.t(
        'There is no fork "{0}" (setting forklens.forge.fork): choose another one with Configure Test Profiles.',
        chosen,
      ),
    );
  }
  const number = await forkRpc(fork, 'eth_blockNumber', [], signal);
  return { chain: fork.forkId, url: rpcUrlOf(fork), block: Number(number) };
}

/** Asks which fork the tests run on, and keeps the answer in the settings of the workspace. */
export async function chooseFork(client: ApiClient): Promise<void> {
  const none = { label: l10n.t('No fork'), iconPath: new vscode.ThemeIcon('circle-slash') };
  const items = listAllForks(client).then((forks) => [none, ...forks.map(forkItem)]);
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Fork That the Tests Run On'),
    placeHolder: l10n.t('Its address is given to forge as --fork-url'),
  });
  if (!picked) return;
  const fork = 'value' in picked ? picked.value.fork.forkId : undefined;
  await vscode.workspace
    .getConfiguration('forklens')
    .update('forge.fork', fork, vscode.ConfigurationTarget.Workspace);
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ForkedTests } from '../../server/client/forge';
import { deleteFork } from '../../server/client/delete-fork';
import { forkRpc, rpcUrlOf } from '../../server/client/fork-rpc';
import { readTestFork } from '../editor/settings';
import type { ApiClient } from '../model/api-client';
import { networkItems } from '../transactions/network-picks';
import { listAllForks, type ForkChoice } from '../ui/pickers';

/** A fork that tests run on. */
export interface TestFork {
  readonly choice: ForkChoice;
  /** Made for these tests, of a chain at its newest block. */
  readonly isThrowAway: boolean;
}

/**
 * The fork that the settings of the workspace name, or one of the chain that they name.
 * @param accounts whose keys a fork of a chain has
 * @returns undefined: they name none @throws Error if there is no such fork or chain
 */
export async function openTestFork(
  client: ApiClient,
  accounts: 'test' | 'none',
  signal: AbortSignal,
): Promise<TestFork | undefined> {
  const chosen = readTestFork();
  if (chosen === '') return undefined;
  const forks = await listAllForks(client, signal);
  const choice = forks.find(({ fork: { forkId, name } }) => forkId === chosen || name === chosen);
  if (choice) return { choice, isThrowAway: false };
  const chains = await client.call('listChains', {}, { signal });
  const chain = chains.find(({ slug }) => slug === chosen);
  if (!chain) {
    throw new Error(
      l10n.t(
        'There is no fork and no chain "{0}" (setting forklens.tests.fork): choose another one with Configure Test Profiles.',
        chosen,
      ),
    );
  }
  const [project] = await client.call('listProjects', {}, { signal });
  if (!project) {
    throw new Error(
      l10n.t('Tests on {0} run on a fork of it, which needs a project: create one.', chosen),
    );
  }
  const { slug, chainId } = chain;
  const name = l10n.t('Tests on {0}', slug);
  const body = { chain: slug, chainId, height: 'latest', name, accounts } as const;
  const params = { project_id: project.projectId };
  const fork = await client.call('createFork', { params, body }, { signal });
  return { choice: { project, fork }, isThrowAway: true };
}

/** Deletes a fork that was made for tests; others stay. */
export async function closeTestFork(
  client: ApiClient,
  { choice: { project, fork }, isThrowAway }: TestFork,
): Promise<void> {
  if (!isThrowAway) return;
  const place = { projectId: project.projectId, forkId: fork.forkId };
  await deleteFork(client, place).catch(() => undefined);
}

/**
 * What forge gets of the fork or chain that the settings name. A fork of a chain exists as long as it is used.
 * @param use receives undefined where they name none
 */
export async function withTestFork<T>(
  client: ApiClient,
  signal: AbortSignal,
  use: (fork: ForkedTests | undefined) => Promise<T>,
): Promise<T> {
  const opened = await openTestFork(client, 'none', signal);
  if (!opened) return use(undefined);
  try {
    const { fork } = opened.choice;
    const number = await forkRpc(fork, 'eth_blockNumber', [], signal);
    // The state of the chain at this block is that of the new fork, and stays.
    const chain = opened.isThrowAway ? fork.chain : fork.forkId;
    return await use({ chain, url: rpcUrlOf(fork), block: Number(number) });
  } finally {
    await closeTestFork(client, opened);
  }
}

/** Asks what the tests run on, and keeps the answer in the settings of the workspace. @returns whether it is a fork or a chain */
export async function chooseFork(client: ApiClient): Promise<boolean> {
  const picked = await vscode.window.showQuickPick(forkItems(client), {
    title: l10n.t('Fork or Chain That the Tests Run On'),
    placeHolder: l10n.t('Tests on a chain run on a fork of its newest block'),
  });
  if (!picked) return false;
  await vscode.workspace
    .getConfiguration('forklens')
    .update('tests.fork', picked.value, vscode.ConfigurationTarget.Workspace);
  return picked.value !== undefined;
}

type ForkItem = vscode.QuickPickItem & { value?: string | undefined };

const forkItems = async (client: ApiClient): Promise<ForkItem[]> => [
  { label: l10n.t('No fork'), iconPath: new vscode.ThemeIcon('circle-slash') },
  ...(await networkItems(client)),
];

import * as l10n from '@vscode/l10n';
import { deleteFork } from '../../server/client/delete-fork';
import type { CommandContext } from '../model/command-context';
import type { ThrowAwayFork } from '../model/debugging';
import { listAllForks, pickProject, type ForkChoice } from '../ui/pickers';
import { withProgress } from '../ui/progress';

type Context = Pick<CommandContext, 'client' | 'memento'>;

/** Forks of this workspace that a window made and did not delete. */
const LEFT = 'forklens.throwAwayForks';
/** Of a fork. */
const LONGEST_NAME = 64;
const LONGEST_TITLE = 30;

/** Made in this window. */
const own = new Set<string>();

/**
 * Creates a fork that goes with a debug session, and deletes those that a closed window left behind.
 * @param chain slug of a chain, or id of a fork, whose newest state it has
 */
export async function createThrowAway(
  context: Context,
  chain: string,
  title: string,
): Promise<ForkChoice> {
  await deleteLeft(context);
  const name = l10n.t('{0} (until its debug session ends)', title.slice(0, LONGEST_TITLE));
  const made = await create(context.client, chain, name.slice(0, LONGEST_NAME));
  const { forkId } = made.fork;
  own.add(forkId);
  const left = context.memento.get<ThrowAwayFork[]>(LEFT, []);
  await context.memento.update(LEFT, [...left, { forkId, projectId: made.project.projectId }]);
  return made;
}

async function create(client: Context['client'], chain: string, name: string): Promise<ForkChoice> {
  const forks = await listAllForks(client).catch(() => []); // a key may lack the scope
  const origin = forks.find(({ fork }) => fork.forkId === chain);
  const title = l10n.t('Creating fork "{0}"…', name);
  if (origin) {
    const params = { project_id: origin.project.projectId, fork_id: chain };
    const fork = await withProgress(title, (signal, onProgress) =>
      client.call('branchFork', { params, body: { name } }, { signal, onProgress }),
    );
    return { project: origin.project, fork };
  }
  const project = await pickProject(client, name);
  const chains = await client.call('listChains', {});
  const chainId = chains.find(({ slug }) => slug === chain)?.chainId ?? 0;
  const params = { project_id: project.projectId };
  const body = { chainId, chain, name, height: 'latest' };
  const fork = await withProgress(title, (signal, onProgress) =>
    client.call('createFork', { params, body }, { signal, onProgress }),
  );
  return { project, fork };
}

async function deleteLeft({ client, memento }: Context): Promise<void> {
  const left = memento.get<ThrowAwayFork[]>(LEFT, []);
  for (const fork of left) {
    if (own.has(fork.forkId)) continue;
    // Its project may be gone, or be another user's now.
    await deleteFork(client, fork).catch(() => undefined);
  }
  await memento.update(
    LEFT,
    left.filter(({ forkId }) => own.has(forkId)),
  );
}

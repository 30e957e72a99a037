import type { Fork } from '../api/fork';
import type { Hex } from '../api/primitives';
import type { ProjectRole } from '../api/project';
import type { Projects } from '../projects/projects';
import { isProjectNotFound } from './access';
import type { Handlers } from './context';
import type { ForkService, MethodDirectory } from './services';

type ForkHandlers = Pick<
  Handlers,
  | 'createFork'
  | 'branchFork'
  | 'deleteFork'
  | 'renewForkAddress'
  | 'listForks'
  | 'getFork'
  | 'listForkTransactions'
  | 'listSnapshots'
  | 'createSnapshot'
  | 'deleteSnapshot'
  | 'revertSnapshot'
>;

export interface ForkServices {
  projects: Projects;
  forks: ForkService;
  abiRegistry: MethodDirectory;
}

/** Handlers of the operations on forks and their snapshots. */
export function forkHandlers({ projects, forks, abiRegistry }: ForkServices): ForkHandlers {
  /** Deletes the new fork if its project was deleted while the fork was created. A fork whose project cannot be looked up now exists. */
  const unlessOrphaned = async (fork: Fork, projectId: string, userId: string): Promise<Fork> => {
    await projects.get(userId, projectId).catch(async (error: unknown) => {
      if (!isProjectNotFound(error)) return;
      await forks.delete(projectId, fork.forkId);
      throw error;
    });
    return fork;
  };

  return {
    createFork: async ({ params, body }, { user, signal, onProgress }) => {
      const fork = await forks.create(params.project_id, body, { signal, onProgress });
      return unlessOrphaned(fork, params.project_id, user.userId);
    },
    branchFork: async ({ params, body }, { user, signal, onProgress }) => {
      const fork = await forks.branch(params.project_id, params.fork_id, body, {
        signal,
        onProgress,
      });
      return unlessOrphaned(fork, params.project_id, user.userId);
    },
    deleteFork: async ({ params }) => {
      await forks.delete(params.project_id, params.fork_id);
      return null;
    },
    renewForkAddress: ({ params }) => forks.renewAddress(params.project_id, params.fork_id),
    listForks: async ({ params }, { access }) =>
      (await forks.list(params.project_id)).map((fork) => shownTo(access?.role, fork)),
    getFork: async ({ params }, { access }) =>
      shownTo(access?.role, await forks.get(params.project_id, params.fork_id)),
    listForkTransactions: async ({ params, query }) => {
      const page = await forks.transactions(params.project_id, params.fork_id, query);
      const selectors = new Set(page.transactions.map(({ selector }) => selector as Hex));
      const names = await abiRegistry.methodNames(selectors);
      const transactions = page.transactions.map((transaction) => ({
        ...transaction,
        ...(names.get(transaction.selector as Hex) ?? { method: '' }),
      }));
      return { ...page, transactions };
    },
    listSnapshots: ({ params }) => forks.snapshots(params.project_id, params.fork_id),
    createSnapshot: ({ params, body }) =>
      forks.keepSnapshot(params.project_id, params.fork_id, body.name),
    deleteSnapshot: async ({ params }) => {
      await forks.deleteSnapshot(params.project_id, params.fork_id, params.snapshot_id);
      return null;
    },
    revertSnapshot: async ({ params }) => {
      await forks.revertSnapshot(params.project_id, params.fork_id, params.snapshot_id);
      return null;
    },
  };
}

/** A viewer does not get the RPC URL of a fork: it permits every change, to everyone who has it. */
export const shownTo = (role: ProjectRole | undefined, fork: Fork): Fork =>
  role === 'viewer' ? { ...fork, rpc: '' } : fork;

import type { Config } from '../api/config';
import type { Fork } from '../api/fork';
import type { ForkUse } from '../projects/quotas';

/** What the forks of a project use, as far as it is known. */
export const useOf = (forks: readonly Fork[]): ForkUse => ({
  forks: forks.map(({ forkId }) => forkId),
  runningEngines: forks.filter(({ state }) => state === 'running').length,
  diskBytes: forks.reduce((sum, { journal }) => sum + (journal?.bytes ?? 0), 0),
});

/** Whether creating forks, waking them and changing them depends on a quota. Without, none of them waits for a look at the others. */
export const hasForkQuotas = ({ user, project }: Config['limits']['quotas']): boolean =>
  [user, project].some(
    ({ forks, runningEngines, diskMegabytes }) =>
      (forks ?? runningEngines ?? diskMegabytes) !== undefined,
  );

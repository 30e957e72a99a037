import type { ApiCallOptions, ApiClient } from '../api/client';
import type { Fork } from '../api/fork';
import type { Project } from '../api/project';

/** A fork with its project. */
export interface LocatedFork {
  projectId: string;
  /** Name of the project. */
  project: string;
  fork: Fork;
}

/** The forks of projects, grouped by project, oldest first. @throws ApiError */
export async function locatedForks(
  client: ApiClient,
  projects: readonly Project[],
  options: ApiCallOptions = {},
): Promise<LocatedFork[]> {
  const lists = projects.map(async ({ projectId, name }) => {
    const forks = await client.call('listForks', { params: { project_id: projectId } }, options);
    return forks.map((fork) => ({ projectId, project: name, fork }));
  });
  return (await Promise.all(lists)).flat();
}

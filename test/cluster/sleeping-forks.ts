import type { Fork } from '../../server/api/fork';
import type { Team } from './team';

/** Adds copies of a fork that sleeps, spread over new projects, to the database alone. */
export async function addSleepingForks(
  team: Team,
  { forkId }: Fork,
  { forks, projects }: { forks: number; projects: number },
): Promise<void> {
  await team.query(
    `INSERT INTO forklens.projects
      SELECT 'project_' || md5(n::text), owner_id, 'project ' || n, create_time
      FROM forklens.projects, generate_series(1, ${projects}) AS n
      WHERE project_id = '${team.project}'`,
  );
  await team.query(
    `INSERT INTO forklens.forks
      SELECT 'fork_' || md5('f' || n), 'project_' || md5((n % ${projects} + 1)::text), md5('s' || n),
        create_time, counted, record
      FROM forklens.forks, generate_series(1, ${forks}) AS n WHERE fork_id = '${forkId}'`,
  );
  await team.query(
    `INSERT INTO forklens.journals (fork_id, state, generation, next_snapshot, executed)
      SELECT 'fork_' || md5('f' || n), state, generation, next_snapshot, executed
      FROM forklens.journals, generate_series(1, ${forks}) AS n WHERE fork_id = '${forkId}'`,
  );
}

/** Forks of one of the new projects, from 1. */
export async function forksOf(team: Team, number: number): Promise<Fork[]> {
  const [row] = await team.query<{ id: string }>(
    `SELECT project_id AS id FROM forklens.projects WHERE name = 'project ${number}'`,
  );
  const path = `/v1/project/${row!.id}/forks`;
  const answer = await team.request<Fork[]>(team.nodes.at(-1)!, 'GET', path);
  if (answer.message !== 'OK') throw new Error(answer.message);
  return answer.data;
}

import { PostgresCluster } from '../postgres';
import { askRun } from './ask-run';

/** The PostgreSQL cluster of the run, or a new one where the run has none. `release` ends the latter. */
export async function sharedPostgres(): Promise<{
  cluster: PostgresCluster;
  release: () => Promise<void>;
}> {
  const shared = await askRun<Pick<PostgresCluster, 'folder' | 'bin' | 'owner'>>('/postgres');
  if (shared) {
    return { cluster: PostgresCluster.attach(shared), release: () => Promise.resolve() };
  }
  const cluster = await PostgresCluster.start();
  return { cluster, release: () => cluster.close() };
}

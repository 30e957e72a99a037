import type { Chain } from '../../server/api/config';
import type { Fork } from '../../server/api/fork';
import { replaceForkHost, type ForkHost } from '../integration/fork-suite';
import type { TestEngines } from '../integration/fork-upstream';
import {
  createFork,
  localProject,
  replaceService,
  type Exit,
  type ServiceOptions,
  type TestService,
} from '../support/service';
import { sharedPostgres } from '../support/shared/postgres';
import { Team } from './team';

/*
 * Has tests of one service run against three nodes behind HAProxy:
 *
 *     npx mocha --require test/cluster/on-team.ts test/integration/http-surface.test.ts
 *
 * Tests that use what `startService` returns (`stop` and `kill` end all nodes; the process, its output and its data directory are those of
 * the first node; a later service with the same data directory has the same database), and those of `useForkAddress`.
 */

const NODES = 3;
/** The default: tests of one service can keep the machine busier than a short lease bears. */
const LEASE_SECONDS = 10;

export const mochaHooks = {
  async beforeAll(): Promise<void> {
    shared = await sharedPostgres();
    replaceService(startTeam);
    replaceForkHost(openForks);
  },
  async afterAll(): Promise<void> {
    await shared.release();
  },
};

let shared: Awaited<ReturnType<typeof sharedPostgres>>;
/** Databases by the data directory of the first node. */
const databases = new Map<string, string>();

async function startTeam({ dataDir, root, ...service }: ServiceOptions = {}): Promise<TestService> {
  const known = dataDir === undefined ? undefined : databases.get(dataDir);
  const team = await Team.start(shared.cluster, NODES, [], {
    balanced: true,
    leaseSeconds: LEASE_SECONDS,
    service,
    dataDir,
    root,
    ...(known === undefined ? {} : { database: known }),
  });
  if (dataDir !== undefined) databases.set(dataDir, team.database);
  const [first] = team.nodes;
  const end = async (how: 'stop' | 'kill'): Promise<Exit> => {
    const [exit] = await Promise.all(team.nodes.map((node) => node[how]()));
    await team.stop();
    return exit!;
  };
  return { ...first!, ...team.front, stop: () => end('stop'), kill: () => end('kill') };
}

async function openForks(_: TestEngines, chain: Chain): Promise<ForkHost> {
  const service = await startTeam({ config: { chains: [chain] } });
  const project = `/v1/project/${await localProject(service)}`;
  return {
    create: (body) => createFork(service, { chainId: chain.chainId, ...body }),
    deleteAll: async () => {
      const { data } = await service.request<Fork[]>('GET', `${project}/forks`);
      for (const { forkId } of data) await service.request('DELETE', `${project}/fork/${forkId}`);
    },
    close: async () => {
      await service.kill();
    },
  };
}

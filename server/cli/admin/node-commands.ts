import { setTimeout as delay } from 'node:timers/promises';
import { shown } from '../../api/errors';
import type { NodeFacts } from '../../team/cluster/node-registry';
import { openStorage, type ClusterStorage } from '../../composition/storage';
import { readDatabaseUrl } from '../../composition/startup/database-url';
import { createLog } from '../../composition/startup/log';
import type { Context, Handlers } from '../command-handlers/context';
import { UsageError } from '../errors/usage-error';

/** Interval at which a drained node is looked at, in milliseconds. */
const LOOK_MS = 250;
/** Seconds without a heartbeat after which a node is shown as silent: its leases may be longer. */
const SILENT_S = 10;

/** Commands for the nodes of a service on a database. They read and write the database. */
export const nodeCommands: Handlers<'node list' | 'node drain'> = {
  'node list': async (format, { globals, out }) => {
    const nodes = await withNodes(globals, (table) => table.list());
    const rows = nodes.map((node) => [
      node.nodeId,
      node.url ?? '',
      stateOf(node),
      `${node.engines}/${node.capacity}`,
      String(node.waiting),
      node.version,
    ]);
    const columns = ['NODE', 'URL', 'STATE', 'ENGINES', 'WAITING', 'VERSION'];
    out.list(nodes, { columns, rows }, format, 'No service runs on this database.');
  },

  'node drain': async ({ id }, { globals, out, signal }) => {
    await withNodes(globals, async (table) => {
      if (!(await table.drain(id))) {
        const known = (await table.list()).map(({ nodeId }) => nodeId);
        throw new UsageError(
          `there is no node ${shown(id)}; accepted: ${known.length > 0 ? known.join(', ') : 'none, because no service runs on this database'}`,
        );
      }
      const begun = performance.now();
      for (;;) {
        const node = (await table.list()).find(({ nodeId }) => nodeId === id);
        const isNewer = node && node.age * 1000 < performance.now() - begun;
        if (!node || (isNewer && node.engines === 0)) break;
        if (node.age > SILENT_S) {
          throw new Error(
            `node ${id} is silent since ${Math.round(node.age)} s; other nodes take its forks over when its leases expire`,
          );
        }
        await delay(LOOK_MS, undefined, { signal });
      }
    });
    out.result({ drained: id }, `Node ${id} runs no fork and takes none until its next start.`);
  },
};

function stateOf({ age, isDraining }: NodeFacts): string {
  if (age > SILENT_S) return `silent since ${Math.round(age)} s`;
  return isDraining ? 'draining' : 'ready';
}

/** @throws UsageError without a database */
async function withNodes<T>(
  { database }: Context['globals'],
  task: (nodes: ClusterStorage['nodes']) => Promise<T>,
): Promise<T> {
  const url = readDatabaseUrl(database);
  if (url === undefined) {
    throw new UsageError(
      'only a service on a database has nodes: give --database or FORKLENS_DATABASE_URL',
    );
  }
  const storage = await openStorage({
    dataDir: undefined,
    database: url,
    clock: () => new Date(),
    log: createLog('warn'),
  });
  try {
    if (!storage.cluster) throw new Error('the storage has no nodes');
    return await task(storage.cluster.nodes);
  } finally {
    await storage.close();
  }
}

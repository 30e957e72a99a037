import type { Handler } from '../command-handlers/context';
import { runAdminCommand } from './admin-client';

/** The audit log: all of it by the administration of the data directory, else what the user of a profile may read. */
export const auditCommand: Handler<'audit'> = async (
  { project, action, limit, cursor, quiet, format },
  { globals, connection, out },
) => {
  const query = { project, action, limit, cursor };
  const { entries } = (await connection.isOfDataDirectory())
    ? await runAdminCommand(globals, 'audit', query)
    : await connection.client.call('listAudit', { query });
  const rows = entries.map((entry) => [
    entry.id,
    entry.time,
    entry.actor,
    entry.action,
    entry.code === 0 ? 'done' : `${entry.code}`,
    [entry.projectId, entry.forkId, entry.target, entry.role].filter(Boolean).join(' '),
    entry.address,
  ]);
  const columns = ['ID', 'TIME', 'WHO', 'ACTION', 'OUTCOME', 'WHAT', 'FROM'];
  out.list(entries, { columns, rows }, { quiet, format });
};

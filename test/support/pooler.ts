import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { idsOf, type Owner, type PostgresCluster } from './postgres';
import { requireProgram } from './programs';
import { removeDirectory } from './temporary-directory';

/** Connections to the cluster: fewer than the clients have, so that they share them. */
const SERVER_CONNECTIONS = 4;

const configuration = (folder: string, cluster: string): string => `
[databases]
* = host=${cluster} user=postgres pool_size=${SERVER_CONNECTIONS}
[pgbouncer]
listen_addr =
listen_port = 5432
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
max_client_conn = 500
admin_users = postgres
`;

/** PgBouncer in transaction mode before a database: each transaction may use another connection. */
export class Pooler {
  private constructor(
    readonly folder: string,
    private readonly process: ChildProcess,
  ) {}

  static async start(cluster: PostgresCluster): Promise<Pooler> {
    // PgBouncer refuses to run as root.
    const owner: Owner = process.getuid?.() === 0 ? idsOf('postgres') : {};
    const folder = await mkdtemp(join(tmpdir(), 'forklens-pooler-'));
    if (owner.uid !== undefined && owner.gid !== undefined) {
      await chown(folder, owner.uid, owner.gid);
    }
    const file = join(folder, 'pgbouncer.ini');
    await writeFile(file, configuration(folder, cluster.folder));
    const running = spawn(requireProgram('pgbouncer'), [file], {
      ...owner,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const output: string[] = [];
    const ready = new Promise<void>((resolve) => {
      createInterface(running.stderr).on('line', (line) => {
        output.push(line);
        if (line.includes('process up')) resolve();
      });
    });
    const failed = once(running, 'exit').then(() => {
      throw new Error(`pgbouncer did not start: ${output.join('\n')}`);
    });
    failed.catch(() => undefined); // it ends in any case
    await Promise.race([ready, failed]);
    return new Pooler(folder, running);
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    await removeDirectory(this.folder);
  }
}

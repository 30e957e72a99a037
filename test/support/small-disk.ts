import { execFileSync } from 'node:child_process';
import { chown, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idsOf, type PostgresCluster } from './postgres';

/** Whether this process may mount a file system. */
export function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** A file system of a few megabytes with a database of a cluster, which can be full. */
export class SmallDisk {
  private constructor(
    private readonly cluster: PostgresCluster,
    private readonly folder: string,
    readonly database: string,
  ) {}

  /** @param megabytes an empty database takes 8 */
  static async mount(cluster: PostgresCluster, megabytes: number): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'forklens-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
    const { uid, gid } = idsOf('postgres');
    await chown(folder, uid, gid);
    await cluster.query(`CREATE TABLESPACE small LOCATION '${folder}'`);
    const database = await cluster.createDatabase('TABLESPACE small');
    return new SmallDisk(cluster, folder, database);
  }

  /** Takes all space, row by row at last. */
  async fill(): Promise<void> {
    await this.cluster.query('CREATE TABLE filler (data text)', this.database);
    for (const bytes of [1_000_000, 100_000, 7_000]) {
      const data = `repeat(md5(random()::text), ${bytes} / 32)`;
      const statement = `ALTER TABLE filler ALTER data SET STORAGE EXTERNAL; INSERT INTO filler SELECT ${data}`;
      for (let isFull = false; !isFull;) {
        isFull = await this.cluster.query(statement, this.database).then(
          () => false,
          (error: unknown) => {
            if ((error as { code?: unknown }).code !== '53100') throw error;
            return true;
          },
        );
      }
    }
  }

  /** Gives the space back. */
  async empty(): Promise<void> {
    await this.cluster.query('DROP TABLE filler', this.database);
    await this.cluster.query('CHECKPOINT', this.database);
  }

  /** After the cluster was stopped. */
  async unmount(): Promise<void> {
    execFileSync('umount', [this.folder]);
    await rmdir(this.folder);
  }
}

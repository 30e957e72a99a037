import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { requireProgram } from './programs';
import { removeDirectory } from './temporary-directory';

/** User and group of a process; empty: those of this process. */
export interface Owner {
  uid?: number;
  gid?: number;
}

/** A cluster of its own in a temporary folder, which listens on a Unix socket only. */
export class PostgresCluster {
  #process: ChildProcess | undefined;
  /** Of this process, on all clusters: their names differ from those of other processes. */
  static #databases = 0;

  private constructor(
    readonly folder: string,
    readonly bin: string,
    readonly owner: Owner,
  ) {}

  /** A cluster that another process has started, and ends. */
  static attach({
    folder,
    bin,
    owner,
  }: Pick<PostgresCluster, 'folder' | 'bin' | 'owner'>): PostgresCluster {
    return new PostgresCluster(folder, bin, owner);
  }

  /** Makes and starts a cluster. @param settings such as `max_connections=30` */
  static async start(...settings: string[]): Promise<PostgresCluster> {
    const bin = dirname(requireProgram('initdb'));
    // PostgreSQL refuses to run as root.
    const owner: Owner = process.getuid?.() === 0 ? idsOf('postgres') : {};
    const folder = await mkdtemp(join(tmpdir(), 'forklens-postgres-'));
    if (owner.uid !== undefined && owner.gid !== undefined) {
      await chown(folder, owner.uid, owner.gid);
    }
    const cluster = new PostgresCluster(folder, bin, owner);
    const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-sync'];
    const { status, stderr } = spawnSync(join(bin, 'initdb'), [...options, '-D', cluster.#data], {
      ...owner,
      cwd: folder,
      encoding: 'utf8',
    });
    try {
      if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
      await cluster.resume(...settings);
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  /** Starts the stopped cluster. */
  async resume(...settings: string[]): Promise<void> {
    const options = ['listen_addresses=', 'log_min_messages=error', ...settings];
    const args = ['-D', this.#data, '-k', this.folder, ...options.flatMap((one) => ['-c', one])];
    const running = spawn(join(this.bin, 'postgres'), args, {
      ...this.owner,
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = running;
    const output: string[] = [];
    const lines = createInterface(running.stderr);
    const ready = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        output.push(line);
        if (line.includes('ready to accept connections')) resolve();
      });
    });
    const ended = once(running, 'exit').then(() => {
      throw new Error(`postgres did not start: ${output.join('\n')}`);
    });
    ended.catch(() => undefined); // it ends in any case
    await Promise.race([ready, ended]);
  }

  /** Ends all connections and stops the cluster; `SIGQUIT`: as in a crash. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const running = this.#process;
    if (running?.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
  }

  /** Runs a statement in a database. */
  async query<Row>(text: string, database = 'postgres'): Promise<Row[]> {
    const client = new Client({ connectionString: this.urlOf(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row & object>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Runs a statement in a transaction that stays open. @returns ends it */
  async hold(text: string, database: string): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: this.urlOf(database) });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('BEGIN');
    await client.query(text);
    return () => client.end();
  }

  /** Makes an empty database. @returns its name */
  async createDatabase(options = ''): Promise<string> {
    const name = `test_${process.pid}_${PostgresCluster.#databases++}`;
    await this.query(`CREATE DATABASE ${name} ${options}`);
    return name;
  }

  /** @param user with any password: connections are trusted */
  urlOf(database: string, user = 'postgres'): string {
    return `postgres://${user}:pa55word@/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  /** Stops the cluster and removes it. */
  async close(): Promise<void> {
    await this.stop('SIGQUIT');
    await removeDirectory(this.folder);
  }
}

/** Ids of a user and of its group. */
export function idsOf(user: string): Required<Owner> {
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

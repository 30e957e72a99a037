import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresCluster } from './postgres';
import { removeDirectory } from './temporary-directory';

/** Name of a cluster's socket in its folder, for the default port. */
const SOCKET = '.s.PGSQL.5432';

/** Stands between a client and a cluster, and loses answers. */
export class PostgresProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #dropped: string | undefined;
  /** Number of lost answers. */
  drops = 0;

  private constructor(
    private readonly folder: string,
    target: string,
  ) {
    this.#server = createServer((client) => {
      const upstream = createConnection(join(target, SOCKET));
      let isLost = false;
      client.on('data', (bytes) => {
        if (this.#dropped !== undefined && bytes.includes(this.#dropped)) {
          this.#dropped = undefined;
          isLost = true;
        }
        upstream.write(bytes);
      });
      upstream.on('data', (bytes) => {
        if (!isLost) {
          client.write(bytes);
          return;
        }
        // The database has answered: the statement is committed.
        this.drops++;
        client.destroy();
        upstream.destroy();
      });
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async open(cluster: PostgresCluster): Promise<PostgresProxy> {
    const folder = await mkdtemp(join(tmpdir(), 'forklens-proxy-'));
    const proxy = new PostgresProxy(folder, cluster.folder);
    proxy.#server.listen(join(folder, SOCKET));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  urlOf(database: string): string {
    return `postgres://postgres@/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  /** Loses the answer to the next statement that contains the text, after the database has executed it. */
  dropAnswerTo(text: string): void {
    this.#dropped = text;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await removeDirectory(this.folder);
  }
}

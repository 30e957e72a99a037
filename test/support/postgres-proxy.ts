import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresCluster } from './postgres';
import { removeDirectory } from './temporary-directory';

/** Name of a cluster's socket in its folder, for the default port. */
const SOCKET = '.s.PGSQL.5432';

/** Stands between a client and a cluster, and loses answers, connections or time. */
export class PostgresProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #dropped: string | undefined;
  #cut: 'lost' | 'late' | undefined;
  /** Number of lost answers. */
  drops = 0;
  /** Bytes that the cluster has sent. */
  answered = 0;

  private constructor(
    private readonly folder: string,
    target: string,
  ) {
    this.#server = createServer((client) => {
      if (this.#cut === 'lost') {
        client.destroy();
        return;
      }
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
        this.answered += bytes.length;
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
        if (this.#cut === 'late') one.pause();
      }
    });
  }

  /** @param server a cluster, or a pooler, with a socket in its folder */
  static async open(server: Pick<PostgresCluster, 'folder'>): Promise<PostgresProxy> {
    const folder = await mkdtemp(join(tmpdir(), 'forklens-proxy-'));
    const proxy = new PostgresProxy(folder, server.folder);
    proxy.#server.listen(join(folder, SOCKET));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  urlOf(database: string, user = 'postgres'): string {
    return `postgres://${user}@/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  /** Loses the answer to the next statement that contains the text, after the database has executed it. */
  dropAnswerTo(text: string): void {
    this.#dropped = text;
  }

  /** `lost`: ends all connections and accepts none; `late`: holds all bytes back. Until `restore`. */
  cut(how: 'lost' | 'late'): void {
    this.#cut = how;
    for (const socket of this.#sockets) {
      if (how === 'lost') socket.destroy();
      else socket.pause();
    }
  }

  restore(): void {
    this.#cut = undefined;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await removeDirectory(this.folder);
  }
}

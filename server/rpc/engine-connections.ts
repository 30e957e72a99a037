import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { OpenConnection } from '../ethereum/engine';
import { EngineConnection, type AnswerReader } from './engine-connection';

/** How an engine is reached. */
export interface EngineAddress {
  /** `http://127.0.0.1:PORT` */
  url: string;
  connect?: OpenConnection | undefined;
}

interface Request {
  body: string;
  reader: AnswerReader;
}

/** A connection that is unused for this long, in milliseconds, is closed: forks are many. */
const IDLE_MS = 4_000;

/** Connections to one engine. They stay open for a while; requests beyond their number wait in the order in which they came. */
export class EngineConnections {
  /** Those used last are used first. */
  readonly #idle: { connection: EngineConnection; since: number }[] = [];
  readonly #all = new Set<EngineConnection>();
  readonly #waiting: Request[] = [];
  #opening = 0;
  #tidying: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param max at a time */
  constructor(
    private readonly address: EngineAddress,
    private readonly max: number,
  ) {}

  /** @param body JSON */
  post(body: string, reader: AnswerReader): void {
    const idle = this.#idle.pop();
    if (idle) {
      idle.connection.send(body, reader);
      return;
    }
    this.#waiting.push({ body, reader });
    this.#openMore();
  }

  /** Closes them; requests under way fail. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#tidying);
    for (const connection of this.#all) connection.close();
    this.#failWaiting(new Error('the connections to the engine were closed'));
  }

  #openMore(): void {
    if (this.#closed) {
      this.#failWaiting(new Error('the connections to the engine were closed'));
      return;
    }
    if (this.#opening >= this.#waiting.length || this.#all.size + this.#opening >= this.max) return;
    this.#opening++;
    this.#open().then(
      (socket) => {
        this.#opening--;
        this.#add(socket);
      },
      (error: unknown) => {
        this.#opening--;
        this.#waiting.shift()?.reader.fail(error as Error);
        this.#openMore();
      },
    );
  }

  #open(): Promise<Duplex> {
    const { connect: open, url } = this.address;
    return open ? open() : connectTo(new URL(url));
  }

  #add(socket: Duplex): void {
    if (this.#closed) {
      socket.destroy();
      return;
    }
    const connection = new EngineConnection(
      socket,
      (one) => {
        this.#next(one);
      },
      (one) => {
        this.#forget(one);
      },
    );
    this.#all.add(connection);
    this.#next(connection);
  }

  /** Gives a connection that is free the next request. */
  #next(connection: EngineConnection): void {
    const request = this.#waiting.shift();
    if (request) connection.send(request.body, request.reader);
    else {
      this.#idle.push({ connection, since: performance.now() });
      this.#tidying ??= setTimeout(() => {
        this.#tidy();
      }, IDLE_MS).unref();
    }
  }

  #tidy(): void {
    const now = performance.now();
    while (this.#idle[0] && now - this.#idle[0].since >= IDLE_MS) {
      this.#idle.shift()?.connection.close();
    }
    this.#tidying = undefined;
    const [oldest] = this.#idle;
    if (!oldest || this.#closed) return;
    this.#tidying = setTimeout(
      () => {
        this.#tidy();
      },
      Math.ceil(oldest.since + IDLE_MS - now),
    ).unref();
  }

  #forget(connection: EngineConnection): void {
    this.#all.delete(connection);
    const place = this.#idle.findIndex((one) => one.connection === connection);
    if (place !== -1) this.#idle.splice(place, 1);
    this.#openMore();
  }

  #failWaiting(error: Error): void {
    for (const { reader } of this.#waiting.splice(0)) reader.fail(error);
  }
}

function connectTo({ hostname, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

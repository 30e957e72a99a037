import { createConnection, type Socket } from 'node:net';
import { hostOf, portOf } from './syslog-address';

/** Time limit for a connection and for a write, in milliseconds. */
const LIMIT_MS = 5_000;

/** A connection to a syslog server, which is opened again when it has ended. Each text has its length before it (RFC 6587 §3.4.1). */
export class SyslogStream {
  #socket: Socket | undefined;

  /** @param url `tcp://host:port` or `unix:///path` of a stream socket */
  constructor(private readonly url: URL) {}

  async send(texts: readonly string[]): Promise<void> {
    const socket = this.#socket ?? (await this.#connect());
    const framed = texts.map((text) => `${Buffer.byteLength(text)} ${text}`).join('');
    await inTime(socket, (done) => {
      socket.write(framed, () => {
        done();
      });
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #connect(): Promise<Socket> {
    const { url } = this;
    const socket = createConnection(
      url.protocol === 'unix:'
        ? { path: decodeURIComponent(url.pathname) }
        : { host: hostOf(url), port: portOf(url) },
    );
    socket.on('error', () => undefined); // whoever waits for the socket gets it as well
    socket.unref();
    await inTime(socket, (done) => {
      socket.once('connect', done);
    });
    this.#socket = socket;
    socket.once('close', () => (this.#socket = undefined));
    socket.resume(); // a server says nothing, and its end is noticed
    return socket;
  }
}

/** Waits for something of a socket. Destroys the socket if it fails or takes too long. */
async function inTime(socket: Socket, start: (done: () => void) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let fail: ((error?: Error) => void) | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      fail = (error) => {
        reject(error instanceof Error ? error : new Error('the connection has ended'));
      };
      socket.once('error', fail).once('close', fail);
      timer = setTimeout(() => {
        reject(new Error(`no answer within ${LIMIT_MS / 1000} s`));
        socket.destroy();
      }, LIMIT_MS);
      start(resolve);
    });
  } finally {
    clearTimeout(timer);
    if (fail) socket.off('error', fail).off('close', fail);
  }
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';
import { freePort } from './free-port';
import { requireProgram } from './programs';
import { removeDirectory } from './temporary-directory';

/** Nodes at a time. */
const PLACES = 8;

const configuration = (folder: string, port: number): string => `
global
  maxconn 2000
  stats socket ${join(folder, 'control')} level admin
defaults
  mode http
  timeout connect 3s
  timeout client 10m
  timeout server 10m
  timeout tunnel 10m
  retries 3
  retry-on conn-failure
  option redispatch 1
frontend clients
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk
  http-check send meth GET uri /health ver HTTP/1.1 hdr Host localhost
  server-template node 1-${PLACES} 127.0.0.1:1 disabled check inter 500ms fall 1 rise 1
`;

/** HAProxy before the nodes. It sends each request to the next node, and detects dead nodes by its own checks. */
export class Balancer {
  /** Ports of the nodes, by the number of their places. */
  readonly #places = new Map<number, number>();

  private constructor(
    private readonly folder: string,
    private readonly process: ChildProcess,
    /** Where clients reach the nodes. */
    readonly url: string,
  ) {}

  static async start(): Promise<Balancer> {
    const folder = await mkdtemp(join(tmpdir(), 'forklens-balancer-'));
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, configuration(folder, port));
    const running = spawn(requireProgram('haproxy'), ['-db', '-f', file], { stdio: 'ignore' });
    const failed = once(running, 'exit').then(() => {
      throw new Error('haproxy did not start');
    });
    failed.catch(() => undefined); // it ends in any case
    const balancer = new Balancer(folder, running, `http://127.0.0.1:${port}`);
    await Promise.race([eventually(() => balancer.#control('show info')), failed]);
    return balancer;
  }

  async add(port: number): Promise<void> {
    let place = 1;
    while (this.#places.has(place)) place++;
    this.#places.set(place, port);
    await this.#control(`set server nodes/node${place} addr 127.0.0.1 port ${port}`);
    await this.#control(`set server nodes/node${place} state ready`);
  }

  /** Forgets a node that has ended. */
  async remove(port: number): Promise<void> {
    await this.lose(port);
    this.#places.delete(this.#placeOf(port));
  }

  /** Cuts the connections to a node, which works on, and makes no new ones. Until `find`. */
  async lose(port: number): Promise<void> {
    const server = `nodes/node${this.#placeOf(port)}`;
    await this.#control(`set server ${server} state maint`);
    await this.#control(`shutdown sessions server ${server}`);
  }

  async find(port: number): Promise<void> {
    await this.#control(`set server nodes/node${this.#placeOf(port)} state ready`);
  }

  async close(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
    await removeDirectory(this.folder);
  }

  #placeOf(port: number): number {
    for (const [place, its] of this.#places) if (its === port) return place;
    throw new Error(`no node has port ${port}`);
  }

  /** A command of HAProxy's runtime API. @throws Error if it is refused */
  async #control(command: string): Promise<void> {
    const socket = createConnection(join(this.folder, 'control'));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    await once(socket, 'connect');
    socket.end(`${command}\n`);
    await once(socket, 'close');
    if (/^(No such|Unknown|Require|Invalid|Can't|Failed)/.test(answer.trim()))
      throw new Error(`${command}: ${answer.trim()}`);
  }
}

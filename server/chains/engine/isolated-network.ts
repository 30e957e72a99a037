import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readlink } from 'node:fs/promises';
import { Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { systemLimit } from '../../api/errors';
import { builtFile } from '../../kernel/files/built-file';
import type { GatekeeperMessage } from './gatekeeper-messages';
import { launchCommand, type LaunchCommand } from './launch-command';
import { SYSTEM_PATH } from './system-tool';

/** The machine or this user cannot create networks; the message says why. */
export class NoIsolation extends Error {
  override readonly name = 'NoIsolation';
}

export interface IsolatedNetworkOptions {
  platform?: NodeJS.Platform;
  /** Executable of util-linux or busybox that creates the namespaces. */
  unshare?: string;
}

const READY_MS = 20_000;
const CONNECT_MS = 30_000;
/** `ip` and `ifconfig` are in an sbin folder. */
const GATEKEEPER_PATH = `${SYSTEM_PATH}:/usr/sbin:/sbin`;
/** Variables that Node may need, or an editor's runtime that acts as Node (`ELECTRON_RUN_AS_NODE`). */
const FORWARDED_VARIABLES = ['ELECTRON_RUN_AS_NODE', 'LD_LIBRARY_PATH'];

/** The user is root inside the namespace. These options of setpriv remove its capabilities from an engine. */
const WITHOUT_RIGHTS = ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'];

interface Waiting {
  resolve: (socket: Socket) => void;
  reject: (error: Error) => void;
  deadline: NodeJS.Timeout;
}

/**
 * A network for engines only: a Linux network namespace without a way in or out. A process inside it, the gatekeeper, hands connected and
 * listening sockets to the service. The network ends when the gatekeeper ends.
 */
export class IsolatedNetwork {
  readonly ended: Promise<void>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /** @param gateway listens inside the network, at `GATEWAY_PORT` */
  private constructor(
    private readonly gatekeeper: ChildProcess,
    readonly gateway: Server,
  ) {
    gatekeeper.on('message', (message, handle) => {
      this.#answered(message as GatekeeperMessage, handle as Socket | undefined);
    });
    this.ended = new Promise((resolve) => {
      gatekeeper.once('exit', () => {
        for (const id of [...this.#waiting.keys()]) this.#refuse(id, 'the network has ended');
        this.gateway.close();
        resolve();
      });
    });
  }

  /** @throws NoIsolation if the machine does not support such networks; Error if it does and opening failed */
  static async open(options: IsolatedNetworkOptions = {}): Promise<IsolatedNetwork> {
    const { platform = process.platform, unshare = 'unshare' } = options;
    if (platform !== 'linux') throw new NoIsolation('only Linux has network namespaces');
    const script = builtFile('gatekeeper.js');
    if (script === undefined) throw new NoIsolation('gatekeeper.js is missing beside the program');
    // A change of credentials clears the parent-death signal, so it is set after the namespaces are entered.
    const inside = await launchCommand(process.execPath, [script]);
    const child = spawn(
      unshare,
      ['--user', '--map-root-user', '--net', inside.file, ...inside.args],
      {
        env: { ...forwardedVariables(), PATH: GATEKEEPER_PATH },
        stdio: [inside.stdin, 'ignore', 'pipe', 'ipc'],
      },
    );
    const network = new IsolatedNetwork(child, await ready(child));
    await network.#tryToEnter();
    return network;
  }

  get pid(): number {
    return this.gatekeeper.pid ?? 0;
  }

  /** Whether the system still has the network: false as soon as its process has ended. */
  async canBeEntered(): Promise<boolean> {
    try {
      await readlink(`/proc/${this.pid}/ns/net`);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ENOENT';
    }
  }

  /** Command line that starts a process inside the network. The process becomes the engine, so that its id is the engine's. */
  launch({ file, args, stdin }: LaunchCommand): LaunchCommand {
    const enter = ['--user', '--net', '--preserve-credentials', '--target', String(this.pid)];
    const rights = file === 'setpriv' ? WITHOUT_RIGHTS : [];
    return { file: 'nsenter', args: [...enter, file, ...rights, ...args], stdin };
  }

  /** Connects to a port inside the network. */
  connect(port: number): Promise<Socket> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => {
        // A gatekeeper that hangs blocks every engine, so the network is closed and engines get a new one.
        this.#refuse(id, 'the gatekeeper of the network does not answer');
        void this.close();
      }, CONNECT_MS).unref();
      this.#waiting.set(id, { resolve, reject, deadline });
      this.gatekeeper.send({ id, port }, (error) => {
        if (error) this.#refuse(id, error.message);
      });
    });
  }

  /** Ends the network. The caller ends the engines that it started inside. */
  async close(): Promise<void> {
    this.gatekeeper.kill('SIGKILL');
    await this.ended;
  }

  /** @throws NoIsolation; the system's error if a limit of the system is reached */
  async #tryToEnter(): Promise<void> {
    const { file, args } = this.launch({ file: 'true', args: [], stdin: 'ignore' });
    try {
      await promisify(execFile)(file, args, { env: { PATH: SYSTEM_PATH } });
    } catch (error) {
      await this.close();
      if (systemLimit(error)) throw error;
      const { stderr = '', message } = error as { stderr?: string; message: string };
      throw new NoIsolation(stderr.trim() || message, { cause: error });
    }
  }

  #answered(message: GatekeeperMessage, socket: Socket | undefined): void {
    if (message.kind !== 'connected') return;
    const { id, error } = message;
    const waiting = this.#waiting.get(id);
    if (!waiting) {
      socket?.destroy();
    } else if (socket === undefined) {
      this.#refuse(id, error ?? 'the socket was not handed over: too many files are open');
    } else {
      this.#forget(id, waiting);
      waiting.resolve(socket);
    }
  }

  #refuse(id: number, reason: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#forget(id, waiting);
    waiting.reject(new Error(reason));
  }

  #forget(id: number, { deadline }: Waiting): void {
    clearTimeout(deadline);
    this.#waiting.delete(id);
  }
}

const forwardedVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    FORWARDED_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Waits for the socket that listens inside the network. */
function ready(child: ChildProcess): Promise<Server> {
  const output: Buffer[] = [];
  child.stderr?.on('data', (piece: Buffer) => output.push(piece));
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the network of the engines was not ready within ${READY_MS / 1000} s`));
    }, READY_MS);
    const settle = (): void => {
      clearTimeout(late);
    };
    child.once('message', (_, handle) => {
      settle();
      if (handle instanceof Server) resolve(handle);
      else reject(new Error('the listening socket was not handed over: too many files are open'));
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      settle();
      const isMissing = error.code === 'ENOENT' || error.code === 'EACCES';
      reject(isMissing ? new NoIsolation(`${child.spawnfile} was not found`) : error);
    });
    child.once('close', (code, signal) => {
      settle();
      const last = Buffer.concat(output).toString().trim().split('\n').at(-1) ?? '';
      reject(new NoIsolation(last === '' ? `unshare ended with ${signal ?? code}` : last));
    });
  });
}

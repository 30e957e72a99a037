import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { ApiError, systemLimit } from '../../api/errors';
import { timeoutSignal } from '../../api/timeout-signal';
import type { Engine, EngineExit, EngineParameters, StartEngine } from '../../evm/forms/engine';
import type { OpenConnection } from '../../kernel/streams/open-connection';
import { CompleteChanges, readFailure } from './complete-changes';
import { EngineClient } from './engine-client';
import { EngineConnections } from './engine-connections';
import { engineArguments } from './arguments';
import { OrderedEngine } from './ordered-engine';
import type { IsolatedNetwork } from './isolated-network';
import { launchCommand, type LaunchCommand } from './launch-command';
import { withMemoryLimit } from './memory-limit';
import { untilItHangs, type ProbeTiming, type HangDetectionOptions } from './hang-detection';
import { SYSTEM_PATH } from './system-tool';

export interface AnvilOptions {
  /** Path of the executable, from `findAnvil`. */
  binary: string;
  /** Home folder of the engine, so that it neither reads nor writes the user's files. */
  home: string;
  /** Memory that the engine may allocate, if the system supports limits; undefined: no limit. */
  memoryBytes?: number | undefined;
  /** Returns a path for the Unix socket of a new engine. Undefined: engines have none. */
  newSocket?: (() => string) | undefined;
  /** The network in which engines start. Without one they use the machine's network. */
  network?: (() => Promise<IsolatedNetwork | undefined>) | undefined;
  /** Deadline for the first answer; forking reads from the upstream first. */
  startTimeoutMs?: number;
  /** How long the service waits for a silent engine; injectable for tests. */
  pulseTiming?: ProbeTiming;
  /** How the process is launched; injectable for tests. */
  launch?: (file: string, args: readonly string[]) => Promise<LaunchCommand>;
}

const LOG_LINES = 20;
const LISTENING = /^Listening on (127\.0\.0\.1:\d+)$/;
const STOP_GRACE_MS = 2_000;

/** Starts anvil processes: one per fork, each on a port that it chooses. */
export function anvilStarter(options: AnvilOptions): StartEngine {
  return async (parameters, signal) => {
    await mkdir(options.home, { recursive: true });
    const network = await options.network?.();
    try {
      return await startIn(network, options, parameters, signal);
    } catch (error) {
      // What ends the network ends engines that are starting, too. The next engine gets a new network.
      if (network === undefined || isAborted(signal) || (await network.canBeEntered())) throw error;
      return startIn(await options.network?.(), options, parameters, signal);
    }
  };
}

async function startIn(
  network: IsolatedNetwork | undefined,
  options: AnvilOptions,
  parameters: EngineParameters,
  signal: AbortSignal | undefined,
): Promise<Engine> {
  const { binary, home, startTimeoutMs = 60_000, launch = launchCommand } = options;
  const socket = options.newSocket?.();
  const itself = await launch(binary, engineArguments(parameters, socket));
  const inside = network?.launch(itself) ?? itself;
  const command = await withMemoryLimit(inside, options.memoryBytes);
  if (isAborted(signal)) throw cancelled();
  const child = spawn(command.file, command.args, {
    cwd: home,
    // Contains no secret and nothing that changes the engine's behaviour. Libuv adds Windows' own variables.
    env: { PATH: SYSTEM_PATH, HOME: home, USERPROFILE: home, NO_COLOR: '1' },
    stdio: [command.stdin, 'pipe', 'pipe'],
    windowsHide: true,
  });
  await requirePipes(child);
  const running = new AnvilProcess(child, parameters, { network, socket }, options.pulseTiming);
  const timeout = timeoutSignal(startTimeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  try {
    return await running.ready(either);
  } catch (error) {
    await running.stop('SIGKILL');
    if (isAborted(signal)) throw cancelled();
    if (timeout.aborted) {
      throw new ApiError(
        'timedOut',
        `the engine did not answer within ${startTimeoutMs / 1000} s`,
        { cause: error },
      );
    }
    throw error;
  }
}

/**
 * Checks for pipes. If the system has no file descriptors left for them, there is no process.
 * @throws ApiError outOfFiles; the system's error
 */
async function requirePipes(child: ChildProcess): Promise<void> {
  if (child.stdout && child.stderr) return;
  const [error] = (await once(child, 'error')) as [Error];
  throw systemLimit(error) ?? error;
}

/** A function, because the flag changes while a start is awaited. */
const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true;

const cancelled = (): ApiError => new ApiError('cancelled', 'the start was cancelled');

class AnvilProcess {
  readonly exited: Promise<EngineExit>;
  readonly #address: Promise<string>;
  readonly #log: string[] = [];
  #connections: EngineConnections | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly parameters: EngineParameters,
    private readonly ways: { network: IsolatedNetwork | undefined; socket: string | undefined },
    private readonly pulseTiming: ProbeTiming | undefined,
  ) {
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('the engine was spawned without pipes');
    this.#address = new Promise((resolve) => {
      for (const stream of [stdout, stderr]) {
        createInterface(stream).on('line', (line) => {
          this.#remember(line);
          const address = LISTENING.exec(line)?.[1];
          if (address !== undefined) resolve(address);
        });
      }
    });
    this.exited = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#remember(error.message);
        if (child.pid === undefined) resolve({ code: null, signal: null, log: this.#log });
      });
      // Not 'exit': the last lines are still in the pipes then.
      child.once('close', (code, signal) => {
        void this.#connections?.close();
        void removeSocket(ways.socket).then(() => {
          resolve({ code, signal, log: this.#log });
        });
      });
    });
    // Without its network, the engine is unreachable.
    void ways.network?.ended.then(() => this.child.kill('SIGKILL'));
  }

  /** Waits for the port and then for an answered call. */
  async ready(signal: AbortSignal): Promise<Engine> {
    const failed = this.exited.then((exit) => {
      const { failedReads, name } = this.parameters.upstream ?? {};
      if (failedReads && failedReads.count > 0) throw readFailure(failedReads, name);
      throw new ApiError(
        'engineUnavailable',
        `the engine ended before it answered: ${lastWords(exit)}`,
      );
    });
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener(
        'abort',
        () => {
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
    const address = await Promise.race([this.#address, failed, aborted]);
    const url = `http://${address}`;
    const connect = this.#connectionTo(url);
    const { upstream } = this.parameters;
    const chain = upstream?.name;
    const connections = new EngineConnections({ url, connect, socket: this.ways.socket });
    this.#connections = connections;
    const send = connections.send.bind(connections);
    const rpc = new EngineClient({ url, chain, send });
    // It would write a line for each request; the last lines are kept for what goes wrong.
    const answered = rpc.request('anvil_setLoggingEnabled', [false]);
    await Promise.race([answered, failed, aborted]);
    const ordered = new OrderedEngine(new CompleteChanges(rpc, upstream), upstream?.blockNumber);
    this.#watch({ url, connect, isCalled: () => ordered.isCalled });
    return {
      rpc: ordered,
      inTurn: (call, send) => ordered.inTurn(call, send),
      kept: (call) => ordered.kept(call),
      send,
      url,
      connect,
      chain,
      pid: this.child.pid ?? 0,
      exited: this.exited,
      stop: () => this.stop('SIGTERM'),
    };
  }

  /** Kills an engine that hangs, so that its users see it end and start another one. */
  #watch(engine: Pick<HangDetectionOptions, 'url' | 'connect' | 'isCalled'>): void {
    const gone = new AbortController();
    void this.exited.then(() => {
      gone.abort();
    });
    const isWaiting = (): boolean => this.parameters.upstream?.isAsked?.() === true;
    const { pid = 0 } = this.child;
    const { pulseTiming } = this;
    untilItHangs({ ...engine, pid, isWaiting, signal: gone.signal, pulseTiming }).then(
      () => this.stop('SIGKILL'),
      () => undefined, // the engine ended by itself
    );
  }

  #connectionTo(url: string): OpenConnection | undefined {
    const { network } = this.ways;
    return network && (() => network.connect(Number(new URL(url).port)));
  }

  async stop(signal: NodeJS.Signals): Promise<EngineExit> {
    this.child.kill(signal);
    const forceKill = setTimeout(() => this.child.kill('SIGKILL'), STOP_GRACE_MS);
    try {
      return await this.exited;
    } finally {
      clearTimeout(forceKill);
    }
  }

  #remember(line: string): void {
    const upstream = this.parameters.upstream?.url;
    const text = upstream === undefined ? line : line.replaceAll(upstream, '<upstream>');
    if (text.trim() === '') return;
    this.#log.push(text);
    if (this.#log.length > LOG_LINES) this.#log.shift();
  }
}

/** Anvil leaves it behind. */
async function removeSocket(path: string | undefined): Promise<void> {
  if (path !== undefined) await rm(path, { force: true }).catch(() => undefined);
}

/** Describes how a process ended. */
function lastWords({ code, signal, log }: EngineExit): string {
  const end = signal === null ? `exit code ${code ?? 'none'}` : `signal ${signal}`;
  return log.length === 0 ? end : `${end}; ${log.slice(-5).join(' | ')}`;
}

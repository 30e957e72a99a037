import * as l10n from '@vscode/l10n';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Log } from '../editor/log';
import { parseLogLine, writeLogLine } from './service-log';

/** Exit code of a service that found its data directory in use. */
export const DATA_DIRECTORY_IN_USE = 3;

const START_TIMEOUT_MS = 60_000;
/** The service saves its forks before it ends, with a slightly shorter limit of its own. */
const STOP_TIMEOUT_MS = 20_000;
const KEY_TIMEOUT_MS = 10_000;

/**
 * Arguments of Node, as in `npm start`. A trace consists of many small objects that live as long as its analysis.
 * A young generation of 64 MB instead of 16 MB avoids most copying of these objects and makes post-processing about a third faster.
 */
export const NODE_ARGUMENTS = ['--max-semi-space-size=64'];

const readySchema = z.object({ event: z.literal('ready'), url: z.string(), pid: z.int() });
const accessKeySchema = z.object({ type: z.literal('access-key'), key: z.string().min(1) });

export interface ServiceProcessOptions {
  /** Node, or the editor's own runtime, which `ELECTRON_RUN_AS_NODE` turns into Node. */
  execPath: string;
  serverPath: string;
  dataDirectory: string;
  configFile: string | undefined;
  sandbox: boolean;
  /** Base of relative artifact folders in the config. */
  cwd: string;
  log: Log;
}

export interface ServiceExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The service ended before it was ready. */
export class ServiceStartError extends Error {
  override readonly name = 'ServiceStartError';

  constructor(
    message: string,
    readonly exit: ServiceExit | undefined,
  ) {
    super(message);
  }
}

/**
 * One run of the bundled service as a child process. The pipe to its stdin is its lifeline: the service ends when this process ends, for
 * any reason.
 */
export class ServiceProcess {
  /** The base URL, once the service accepts requests. Rejects with `ServiceStartError`. */
  readonly ready: Promise<string>;
  readonly exited: Promise<ServiceExit>;
  readonly #child: ChildProcess;
  readonly #log: Log;
  #lastError: string | undefined;

  constructor(options: ServiceProcessOptions) {
    this.#log = options.log;
    const args = [...NODE_ARGUMENTS, options.serverPath, ...serviceArguments(options)];
    this.#child = spawn(options.execPath, args, {
      cwd: options.cwd,
      env: serviceEnvironment(process.env),
      stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    });
    // The pipe breaks if the service ends first; `exited` reports that.
    this.#child.stdin?.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        resolve({ code, signal });
      });
      this.#child.once('error', (error) => {
        this.#lastError = error.message;
        if (this.#child.pid === undefined) resolve({ code: null, signal: null });
      });
    });
    this.ready = this.#waitForReadyLine();
    this.ready.catch(() => undefined);
    this.#forwardLog();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Issues a new key for the service's local user over the IPC channel. The key appears in no file and no command line. */
  async issueAccessKey(): Promise<string> {
    const { promise, settle } = firstOf<string>(
      KEY_TIMEOUT_MS,
      l10n.t('the service sent no access key'),
    );
    const onMessage = (message: unknown): void => {
      const answer = accessKeySchema.safeParse(message);
      if (answer.success) settle(answer.data.key);
    };
    this.#child.on('message', onMessage);
    void this.exited.then(() => {
      settle(new Error(l10n.t('the service ended before it sent an access key')));
    });
    try {
      this.#child.send({ type: 'issue-access-key' }, (error) => {
        if (error !== null) settle(error);
      });
      return await promise;
    } finally {
      this.#child.off('message', onMessage);
    }
  }

  /** Ends the lifeline and waits. Kills a service that does not end in time. */
  async stop(): Promise<ServiceExit> {
    this.#child.stdin?.end();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    try {
      return await this.exited;
    } finally {
      clearTimeout(kill);
    }
  }

  async #waitForReadyLine(): Promise<string> {
    const { promise, settle } = firstOf<string>(
      START_TIMEOUT_MS,
      l10n.t('the service was not ready after {0} s', START_TIMEOUT_MS / 1000),
    );
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const ready = readySchema.safeParse(parseJson(line));
        if (ready.success) settle(ready.data.url.replace(/\/$/, ''));
      });
    }
    void this.exited.then((exit) => {
      const end =
        exit.signal ??
        (exit.code === null ? l10n.t('start failed') : l10n.t('exit code {0}', exit.code));
      // The service's last error message is more specific than its exit code.
      settle(
        new ServiceStartError(
          this.#lastError ?? l10n.t('the service did not start ({0})', end),
          exit,
        ),
      );
    });
    return promise;
  }

  #forwardLog(): void {
    if (this.#child.stderr === null) return;
    createInterface({ input: this.#child.stderr }).on('line', (text) => {
      const line = parseLogLine(text);
      if (line.level === 'error' || line.level === 'plain') this.#lastError = line.message;
      writeLogLine(this.#log, line);
    });
  }
}

function serviceArguments(options: ServiceProcessOptions): string[] {
  return [
    '--stdin-lifeline',
    '--port',
    '0',
    '--data-dir',
    options.dataDirectory,
    ...(options.configFile === undefined ? [] : ['--config', options.configFile]),
    ...(options.sandbox ? ['--sandbox'] : []),
  ];
}

/** The editor's environment without the variables for its own Node: a debugger or loader of the editor must not reach the service. */
function serviceEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL_)/.test(name),
  );
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A promise that the first of several events settles. It rejects after `timeoutMs`. */
function firstOf<T>(
  timeoutMs: number,
  timeoutMessage: string,
): { promise: Promise<T>; settle: (outcome: T | Error) => void } {
  let settle: (outcome: T | Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(timeoutMessage));
    }, timeoutMs);
    settle = (outcome) => {
      clearTimeout(timer);
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
  });
  return { promise, settle };
}

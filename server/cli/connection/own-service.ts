import { SERVICE_EXIT } from '../../api/service-record';
import { timeoutSignal } from '../../api/timeout-signal';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtFile } from '../../kernel/files/built-file';
import { UsageError } from '../errors/usage-error';
import { NoServiceError } from '../errors/no-service-error';

const START_TIMEOUT_MS = 60_000;
/** Longer than the service's own time limit for a stop. */
const STOP_TIMEOUT_MS = 20_000;

export interface OwnServiceOptions {
  dataDir: string;
  /** Config file of the service. */
  config: string | undefined;
  /** Also run the built-in chain. */
  sandbox: boolean;
}

/** A service that a command starts for its own duration. It stops with the command, however the command ends. */
export class OwnService {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly exited: Promise<unknown>,
  ) {}

  /**
   * @returns undefined if another process holds the data directory
   * @throws UsageError for an invalid config file or data directory; NoServiceError with the last log message of a service that does not
   * start; AbortError
   */
  static async start(
    options: OwnServiceOptions,
    signal: AbortSignal,
  ): Promise<OwnService | undefined> {
    signal.throwIfAborted();
    const server = builtFile('server.js');
    if (server === undefined) throw new NoServiceError('dist/server.js is missing');
    // The child gets its own process group, so that only the command receives Ctrl-C and can cancel its requests first.
    const child = spawn(process.execPath, [server, ...argumentsOf(options)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    child.stdin.on('error', () => undefined);
    const lastWords = collectLastOutput(child);
    const exited = once(child, 'close') as Promise<[number | null]>;
    const ready = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    ready.catch(() => undefined);
    const settled = new AbortController();
    const limited = AbortSignal.any([signal, timeoutSignal(START_TIMEOUT_MS)]);
    const first = await Promise.race([
      ready.then(([line]) => ({ line })),
      exited.then(([code]) => ({ code })),
      once(limited, 'abort', { signal: settled.signal }).then(() => undefined),
    ]);
    settled.abort();
    if (first !== undefined && 'line' in first) {
      const { url } = JSON.parse(first.line) as { url: string };
      return new OwnService(url, child, exited);
    }
    if (first !== undefined) {
      if (first.code === SERVICE_EXIT.inUse) return undefined;
      if (first.code === SERVICE_EXIT.usage) throw new UsageError(lastWords());
      throw new NoServiceError(lastWords());
    }
    await stopChild(child, exited);
    signal.throwIfAborted();
    throw new NoServiceError(`the service was not ready after ${START_TIMEOUT_MS / 1000} s`);
  }

  /** Stops the service and waits until it and its engines have ended. */
  stop(): Promise<void> {
    return stopChild(this.child, this.exited);
  }
}

/** The service stops when its standard input ends, even during its start. */
async function stopChild(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.stdin?.end();
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(kill);
}

function argumentsOf({ dataDir, config, sandbox }: OwnServiceOptions): string[] {
  return [
    '--stdin-lifeline',
    '--local-user',
    '--host',
    '127.0.0.1',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    '--log-level',
    'error',
    ...(config === undefined ? [] : ['--config', config]),
    ...(sandbox ? ['--sandbox'] : []),
  ];
}

/** The message of the last log line, which is JSON, or the last line as it is. */
function collectLastOutput(child: ChildProcess): () => string {
  let last = 'it wrote nothing';
  if (child.stderr !== null) {
    createInterface(child.stderr).on('line', (line) => {
      try {
        last = (JSON.parse(line) as { msg: string }).msg;
      } catch {
        last = line.replace(/^error: /, '');
      }
    });
  }
  return () => last;
}

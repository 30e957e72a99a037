import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { UsageError } from '../errors/usage-error';

/** Time that a program has to end after a signal. */
const KILL_MS = 10_000;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface ProgramOptions {
  environment: NodeJS.ProcessEnv;
  /** Where its standard output goes. */
  stdout: Writable;
  /** Receives the text of both outputs. */
  onText: (text: string) => void;
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal;
}

/**
 * Runs a program to its end, passes on its output and the signals that this process gets, and ends what it leaves behind.
 * @returns its exit code; 128 and the number of the signal that ended it
 * @throws UsageError if it cannot be run
 */
export async function runProgram(
  [name = '', ...args]: readonly string[],
  { environment, stdout, onText, signal }: ProgramOptions,
): Promise<number> {
  // In a terminal, Ctrl-C reaches all its processes, and the program may ask questions. Elsewhere it gets a group of its own to be ended.
  const hasGroup = !process.stdin.isTTY && process.platform !== 'win32';
  const child = spawn(name, args, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: environment,
    detached: hasGroup,
  });
  const outputs = [
    [child.stdout, stdout],
    [child.stderr, process.stderr],
  ] as const;
  // eslint-disable-next-line promises/handled-at-once -- it never rejects
  const ended = Promise.all(outputs.map(([from, to]) => passOn(from, to, onText)));
  const stop = forwardSignals(child, hasGroup, signal);
  try {
    const [code, by] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    // What it started in the background would hold the outputs open.
    if (hasGroup) killGroup(child, 'SIGKILL');
    await ended;
    return code ?? 128 + (by === null ? 0 : constants.signals[by]);
  } catch (error) {
    throw new UsageError(`<program> "${name}" cannot be run: ${(error as Error).message}`);
  } finally {
    stop();
  }
}

async function passOn(from: Readable, to: Writable, onText: (text: string) => void): Promise<void> {
  from.on('data', (chunk: Buffer) => {
    onText(chunk.toString());
    if (!to.write(chunk)) {
      from.pause();
      to.once('drain', () => from.resume());
    }
  });
  await once(from, 'close').catch(() => undefined);
}

/** @returns stops it */
function forwardSignals(child: ChildProcess, hasGroup: boolean, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const send = (name: NodeJS.Signals): void => {
    if (hasGroup) killGroup(child, name);
    else if (name !== 'SIGINT') child.kill(name);
    timer ??= setTimeout(() => {
      if (hasGroup) killGroup(child, 'SIGKILL');
      else child.kill('SIGKILL');
    }, KILL_MS);
  };
  for (const name of FORWARDED) process.on(name, send);
  if (signal.aborted) send('SIGTERM');
  return () => {
    clearTimeout(timer);
    for (const name of FORWARDED) process.off(name, send);
  };
}

function killGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // Nothing of it runs any more.
  }
}

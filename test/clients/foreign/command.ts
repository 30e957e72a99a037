import { spawn } from 'node:child_process';

export interface CommandOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Milliseconds. */
  timeout: number;
}

export interface Ended {
  /** null: it was killed after the timeout. */
  code: number | null;
  /** The end of its output. */
  output: string;
}

const KEPT = 4_000;

/** Runs a program to its end, in its own process group, which is killed with it. @throws if it cannot be started */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd, env = {}, timeout }: CommandOptions,
): Promise<Ended> {
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-KEPT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All processes have ended.
    }
  };
  const timer = setTimeout(end, timeout);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      end();
      resolve({ code, output });
    });
  });
}

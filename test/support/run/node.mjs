import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { endSession } from '../session-processes.mjs';

/** How long the rest of an output is waited for: a process that left the session can hold it open. */
const OUTPUT_MS = 2_000;
/** Leaders of the sessions that run. */
const running = new Set();

/** Interrupts what runs, as Ctrl-C does, and ends what has not ended a few seconds later. */
export function interruptAll() {
  for (const pid of running) {
    try {
      process.kill(-pid, 'SIGINT');
    } catch {
      // It has ended.
    }
    void endSession(pid);
  }
}

/**
 * Runs Node with `args` in a session of its own, and ends what it leaves behind.
 * @param write takes its output, as it comes
 * @returns exit code (1 where a signal ended it) and how many processes it left
 */
export async function runNode(args, write, env = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child.pid);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', write);
  }
  const closed = new Promise((resolve) => child.once('close', resolve));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
  running.delete(child.pid);
  const left = await endSession(child.pid);
  await Promise.race([closed, delay(OUTPUT_MS, undefined, { ref: false })]);
  if (left.length > 0) write(`Left behind by it, and ended:\n${left.join('\n')}\n`);
  return { code, left: left.length };
}

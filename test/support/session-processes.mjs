import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Time for the processes of a suite to end after it, in milliseconds. */
const GRACE_MS = 3_000;

/** Processes of a session: all descendants of its leader that did not leave it. Empty on other systems than Linux. */
function processesOf(session) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      // pid (command) state ppid pgrp session …; the command can contain blanks and parentheses
      const [state, , , id] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .split(') ')
        .at(-1)
        .split(' ');
      if (Number(id) !== session || state === 'Z') return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(pid), command }];
    } catch {
      return []; // has ended
    }
  });
}

/**
 * Waits for the processes of a session whose leader has ended, and kills the remaining ones.
 * @returns command lines of the killed processes
 */
export async function endSession(session) {
  const end = Date.now() + GRACE_MS;
  while (processesOf(session).length > 0 && Date.now() < end) await delay(50);
  const left = processesOf(session);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended.
    }
  }
  return left.map(({ command }) => command);
}

import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** How long what a suite started may take to end after it. */
const GRACE_MS = 3_000;

/** Processes of a session (Linux; elsewhere none are known): all that descends from its leader and did not leave it. */
function processesOf(session) {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      // pid (command) state ppid pgrp session …; the command may hold blanks and parentheses
      const [state, , , id] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .split(') ')
        .at(-1)
        .split(' ');
      if (Number(id) !== session || state === 'Z') return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(pid), command }];
    } catch {
      return []; // ended meanwhile
    }
  });
}

/** Waits for the end of a session whose leader has ended, and ends what stays. @returns command lines of what had to be ended */
export async function endSession(session) {
  const end = Date.now() + GRACE_MS;
  while (processesOf(session).length > 0 && Date.now() < end) await delay(50);
  const left = processesOf(session);
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // ended meanwhile
    }
  }
  return left.map(({ command }) => command);
}

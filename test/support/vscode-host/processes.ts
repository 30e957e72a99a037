import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Running processes whose command line or environment contains `folder`: all processes started with a private home. */
export function processesOf(folder: string): { pid: number; command: string }[] {
  if (process.platform !== 'linux') return [];
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = fs
          .readFileSync(`/proc/${pid}/cmdline`, 'utf8')
          .replaceAll('\0', ' ')
          .trim();
        const environment = fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
        // A process without a command line is a zombie that only waits for its parent.
        return command && `${command}\0${environment}`.includes(folder)
          ? [{ pid: Number(pid), command }]
          : [];
      } catch {
        return []; // it ended during the read, or belongs to another user
      }
    });
}

/**
 * Waits until `condition` holds, with a check every 50 ms: for system state that sends no event.
 * @returns whether it held within `milliseconds`
 */
export async function eventually(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > end) return false;
    await delay(50);
  }
  return true;
}

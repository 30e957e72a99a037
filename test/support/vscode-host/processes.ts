import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Running processes whose command line or environment names `folder`: everything started from a private home. */
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
        return []; // ended while being read, or somebody else's
      }
    });
}

/**
 * Waits until `condition` holds, looking again every 50 ms: for facts of the system that send no event.
 * @returns whether it held within `milliseconds`.
 */
export async function eventually(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (!condition()) {
    if (Date.now() > end) return false;
    await delay(50);
  }
  return true;
}

import fs from 'node:fs';

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

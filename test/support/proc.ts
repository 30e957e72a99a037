import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The network namespace of a process, such as `net:[4026531840]` (proc(5)). */
export const networkOf = (pid: number | 'self'): string => readlinkSync(`/proc/${pid}/ns/net`);

/** The program and the arguments of a process; none if it has ended. */
export function commandLineOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Effective capabilities, as bits (capabilities(7)). */
export function capabilitiesOf(pid: number): bigint {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return BigInt(`0x${/^CapEff:\s*(\w+)$/m.exec(status)?.[1] ?? ''}`);
}

/** Whether a process executes a file with this name. */
export function runs(pid: number, name: string): boolean {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)) === name;
  } catch {
    return false; // it has ended
  }
}

/** Inodes of the listening sockets in a process's network. */
export function listeningIn(pid: number | 'self'): Set<string> {
  const lines = ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8').trim().split('\n').slice(1),
  );
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(fields.filter(([, , , state]) => state === '0A').map((one) => one[9] ?? ''));
}

/** Inodes of a process's sockets. */
export const socketsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return []; // closed since readdir
    }
  });

/** Whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

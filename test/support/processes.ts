import { execFileSync } from 'node:child_process';

/** All descendants of a process. */
export function childrenOf(parent: number): number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (pid: number): number[] =>
    all.flatMap(([child, itsParent]) => (itsParent === pid ? [child, ...below(child)] : []));
  return below(parent);
}

/** Signals processes. Ignores those that have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // The process has ended.
      if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
    }
  }
}

import { execFileSync } from 'node:child_process';

/** Processes that a process has started, and those that they did. */
export function childrenOf(parent: number): number[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (pid: number): number[] =>
    all.flatMap(([child, itsParent]) => (itsParent === pid ? [child, ...below(child)] : []));
  return below(parent);
}

/** With SIGKILL. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It ended meanwhile.
      if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
    }
  }
}

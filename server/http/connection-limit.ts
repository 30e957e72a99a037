import { readFileSync } from 'node:fs';
import { LIMITS } from '../api/limits';

/** The remaining open files are for the data, the engines and the upstreams. */
const SHARE = 0.5;

/**
 * Maximum number of simultaneous client connections.
 * @param configured `limits.connections` of the config file
 */
export function connectionLimit(configured: number | undefined): number {
  return (
    configured ?? Math.max(1, Math.min(LIMITS.connections, Math.floor(openFileLimit() * SHARE)))
  );
}

/** Infinity if the system does not report a limit. */
function openFileLimit(): number {
  try {
    const text = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

import { readFileSync } from 'node:fs';
import { LIMITS } from '../limits';

/** The rest of the open files is for the data, the engines and the chains. */
const SHARE = 0.5;

/**
 * Connections that clients may have at a time.
 * @param configured `limits.connections` of the config file
 */
export function connectionLimit(configured: number | undefined): number {
  return (
    configured ?? Math.max(1, Math.min(LIMITS.connections, Math.floor(openFileLimit() * SHARE)))
  );
}

/** Infinity where the system does not say. */
function openFileLimit(): number {
  try {
    const text = readFileSync('/proc/self/limits', 'utf8');
    const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

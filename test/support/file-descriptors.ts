import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

const LIMITS = process.platform === 'linux' ? readFileSync('/proc/self/limits', 'utf8') : '';
/** Soft and hard limit of open files of this process. */
const [, SOFT = '', HARD = ''] = /Max open files +(\S+) +(\S+)/.exec(LIMITS) ?? [];

/** Lets this process open about `more` additional files. @returns a function that restores the limit */
export function limitFiles(more: number): () => void {
  setLimit(String(readdirSync('/proc/self/fd').length + more));
  return () => {
    setLimit(SOFT);
  };
}

const setLimit = (soft: string): void => {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:${HARD}`]);
};

/** Opens files until only `more` descriptors are free. @returns a function that closes them */
export function leave(more: number): () => void {
  const open: number[] = [];
  try {
    for (;;) open.push(openSync('/dev/null', 'r'));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EMFILE');
  }
  open.splice(0, more).forEach(closeSync);
  return () => {
    open.forEach(closeSync);
  };
}

// The basis of every package: new bundles, and the modification time of all files.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

export function buildBundles() {
  const built = spawnSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: 'inherit' });
  if (built.status !== 0) throw new Error('the bundles could not be built');
}

/** Seconds since 1970: SOURCE_DATE_EPOCH, else the time of the last commit, else the earliest time that a zip file can store. */
export function sourceDate() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && given !== '') {
    if (!/^\d+$/.test(given)) {
      throw new Error(`SOURCE_DATE_EPOCH is ${given}; accepted: seconds since 1970, in digits`);
    }
    return Number(given);
  }
  try {
    const log = ['log', '-1', '--format=%ct'];
    const options = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return Number(execFileSync('git', log, options).trim());
  } catch {
    return Date.UTC(1980, 0, 1) / 1000; // not a clone
  }
}

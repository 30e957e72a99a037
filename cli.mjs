// Runs the command line from source: `npm run -s cli -- …`. Builds it first if the source is newer than the bundle.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = import.meta.dirname;
/** Written by esbuild.mjs. Its modification time is the start of the last build. */
const STAMP = 'dist/server-built';
/** Inputs of the bundles. The lock file represents the packages. */
const SOURCES = ['server', 'media', 'esbuild.mjs', 'package.json', 'package-lock.json'];

/** Whether a file or folder, or anything inside it, is newer. Removing a file makes its folder newer too. */
function isNewer(file, time) {
  const stats = statSync(file);
  if (stats.mtimeMs > time) return true;
  return (
    stats.isDirectory() && readdirSync(file).some((name) => isNewer(path.join(file, name), time))
  );
}

const built = statSync(path.join(ROOT, STAMP), { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
if (SOURCES.some((name) => isNewer(path.join(ROOT, name), built))) {
  // Standard output is reserved for the command.
  const stdio = ['ignore', process.stderr.fd, process.stderr.fd];
  const { status } = spawnSync(process.execPath, ['esbuild.mjs', 'server'], { cwd: ROOT, stdio });
  if (status !== 0) process.exit(1);
}
createRequire(import.meta.url)('./dist/cli.js');

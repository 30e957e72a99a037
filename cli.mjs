// Runs the command line from the sources, `npm run -s cli -- …`, and builds it first where they are newer.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = import.meta.dirname;
/** Written by esbuild.mjs: as old as the start of the last build. */
const STAMP = 'dist/server-built';
/** What the bundles are made of. The lock file stands for the packages. */
const SOURCES = ['server', 'media', 'esbuild.mjs', 'package.json', 'package-lock.json'];

/** Whether a file or folder, or anything below it, is newer. A folder is, too, where something was removed from it. */
function isNewer(file, time) {
  const stats = statSync(file);
  if (stats.mtimeMs > time) return true;
  return (
    stats.isDirectory() && readdirSync(file).some((name) => isNewer(path.join(file, name), time))
  );
}

const built = statSync(path.join(ROOT, STAMP), { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
if (SOURCES.some((name) => isNewer(path.join(ROOT, name), built))) {
  // Standard output belongs to the command.
  const stdio = ['ignore', process.stderr.fd, process.stderr.fd];
  const { status } = spawnSync(process.execPath, ['esbuild.mjs', 'server'], { cwd: ROOT, stdio });
  if (status !== 0) process.exit(1);
}
createRequire(import.meta.url)('./dist/cli.js');

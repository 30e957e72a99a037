import { access, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SUITES } from '../form';
import { runCommand } from './command';
import type { ForeignSuite } from './suite';

const CACHE = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'forklens',
  'client-suites',
);
const MINUTES = 60_000;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns the checkout of a suite: from `--suites`, or a clone of its tag in the cache folder. */
async function checkoutOf(suite: ForeignSuite): Promise<string> {
  if (SUITES !== undefined) {
    const folder = join(SUITES, suite.name);
    if (await exists(folder)) return folder;
    throw new Error(`${folder} is missing: it must be ${suite.repository} at ${suite.tag}`);
  }
  const folder = join(
    CACHE,
    'checkouts',
    `${suite.name}-${suite.version.replace(/[^\w.]+/g, '-')}`,
  );
  if (await exists(folder)) return folder;
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(join(CACHE, 'checkouts'), { recursive: true });
  const url = `https://github.com/${suite.repository}.git`;
  const clone = ['clone', '--quiet', '--depth', '1', '--branch', suite.tag];
  const sparse = ['--filter', 'blob:none', '--sparse', url, part];
  const env = { GIT_TERMINAL_PROMPT: '0' };
  const options = { cwd: CACHE, env, timeout: 5 * MINUTES };
  for (const args of [
    [...clone, ...sparse],
    ['-C', part, 'sparse-checkout', 'set', '--skip-checks', ...suite.folders],
  ]) {
    const { code, output } = await runCommand('git', args, options);
    if (code === 0) continue;
    const why = code === null ? 'it took longer than 5 minutes' : output.trim();
    throw new Error(
      `${suite.repository} at ${suite.tag} could not be fetched from GitHub (${why}); give a folder of checkouts by --suites FOLDER`,
    );
  }
  await rename(part, folder);
  return folder;
}

/** Everything that a prepared copy depends on, as JSON. */
async function stampOf({ tag, packages, prepare }: ForeignSuite): Promise<string> {
  const folder = join(__dirname, 'files');
  const names = (await readdir(folder)).sort();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return JSON.stringify([tag, packages, prepare.toString(), files]);
}

/**
 * A copy of the checkout with its packages, prepared once and kept in the cache folder.
 * @throws if GitHub or npm is not reachable
 */
export async function workplaceOf(suite: ForeignSuite): Promise<string> {
  const folder = join(CACHE, 'workplaces', suite.name);
  const stamp = join(folder, 'forklens-stamp.json');
  const wanted = await stampOf(suite);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return folder;
  const checkout = await checkoutOf(suite);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of suite.folders) {
    await cp(join(checkout, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const packages = Object.entries(suite.packages).map(([name, version]) => `${name}@${version}`);
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps'];
  const { code, output } = await runCommand('npm', ['install', ...quiet, ...packages], {
    cwd: folder,
    timeout: 5 * MINUTES,
  });
  if (code !== 0) throw new Error(`npm could not install the packages of ${suite.name}: ${output}`);
  await suite.prepare(folder);
  await writeFile(stamp, wanted);
  return folder;
}

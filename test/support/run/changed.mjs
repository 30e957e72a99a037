import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Tests that read files instead of importing them. */
const READERS = [
  {
    files: /\.md$|^package.*\.json$|^extension\/l10n\//,
    tests: /^test\/unit\/(documents|bundles|security)/,
  },
  {
    files: /^(README|server\/(REST|FORKS|CLI))\.md$/,
    tests: /^test\/integration\/readme-examples/,
  },
  { files: /^test\/examples\//, tests: /^test\/integration\/examples/ },
];

const lines = (text) => text.split('\n').filter((line) => line !== '');
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/** Where this branch left `main`. Without such a branch, or on it: the last commit, or the one before where nothing is changed since. */
function baseCommit() {
  const main = ['main', 'origin/main'].find(
    (name) => spawnSync('git', ['rev-parse', '-q', '--verify', name], { cwd: ROOT }).status === 0,
  );
  const head = git('rev-parse', 'HEAD').trim();
  const left = main ? git('merge-base', 'HEAD', main).trim() : head;
  if (left !== head) return left;
  return git('status', '--porcelain') === '' ? 'HEAD~1' : 'HEAD';
}

/** Paths of files that differ from the base and exist, and of new ones. */
function changedFiles(base) {
  const changed = lines(git('diff', '--name-only', '--relative', base ?? baseCommit()));
  const added = lines(git('ls-files', '--others', '--exclude-standard'));
  return [...changed, ...added];
}

/** Tests with every file of the repository that they import, themselves among these. */
async function importsOfTests(suites) {
  const tests = suites.flatMap((suite) =>
    readdirSync(path.join(ROOT, 'test', suite), { recursive: true })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `test/${suite}/${name.replaceAll(path.sep, '/')}`),
  );
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: tests,
    bundle: true,
    packages: 'external',
    platform: 'node',
    loader: { '.ttf': 'empty' },
    outdir: 'unused',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  // By what is written in the files: a bundle leaves out what it does not use.
  const reach = (file, found) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path: next, external } of metafile.inputs[file].imports) {
      if (!external) reach(next, found);
    }
    return found;
  };
  return tests.map((test) => ({ test, imports: [...reach(test, new Set())] }));
}

/**
 * Runs the unit and integration tests that the changes since `main` reach by their imports; on an unchanged `main`, since the last
 * commit.
 * @param options `base`: another commit; `list`: only prints the tests; `files`: only prints the changed files; `unit`: without the
 *   integration tests
 * @returns the exit code
 */
export async function runChanged({ base, list, files, unit }) {
  const changed = changedFiles(base);
  if (files) {
    for (const file of changed.filter((name) => existsSync(path.join(ROOT, name)))) {
      console.log(file);
    }
    return 0;
  }
  const known = new Set(changed);
  const reached = (await importsOfTests(unit ? ['unit'] : ['unit', 'integration']))
    .filter(
      ({ test, imports }) =>
        imports.some((file) => known.has(file)) ||
        READERS.some(({ files, tests }) => tests.test(test) && changed.some((f) => files.test(f))),
    )
    .map(({ test }) => test)
    .sort();
  console.error(`${changed.length} files changed, ${reached.length} test files reach them`);
  if (list) console.log(reached.join('\n'));
  if (list || reached.length === 0) return 0;
  const isBuiltFirst = reached.some((test) => test.startsWith('test/integration/'));
  if (isBuiltFirst && !isRun('esbuild.mjs', 'server')) return 1;
  return isRun('node_modules/mocha/bin/mocha.js', '--parallel', '--jobs', '2', ...reached) ? 0 : 1;
}

const isRun = (...args) =>
  spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;

// `npm run test:repeat [-- --times 10 --busy 4 --pinned 2] [SUITE…]`: runs `npm test` several times in a row: every second run beside
// busy processes, others on one core. Prints which test failed how often; the table is also in test/output/repeat.md. With `--resume`, the
// runs that ended before an interruption count.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { nearest } from '../server/api/nearest';
import {
  checkNames,
  readArguments,
  runProgram,
  UsageError,
  wholeNumber,
} from './support/run/arguments.mjs';
import { onInterrupt } from './support/run/interrupts.mjs';
import { SUITES } from './support/run/suites.mjs';

const OPTIONS = {
  times: { type: 'string', default: '10' },
  busy: { type: 'string', default: '4' },
  pinned: { type: 'string', default: '2' },
  resume: { type: 'boolean', default: false },
};
const KEPT = 'test/output/repeat.json';

/** Every second run is beside busy processes; of the others, the last ones are pinned. */
function kindsOf({ times, busy, pinned }) {
  const kinds = Array.from({ length: times }, (_, index) =>
    busy > 0 && index % 2 === 1 ? 'busy' : 'quiet',
  );
  for (let index = times - 1, left = pinned; index >= 0 && left > 0; index--) {
    if (kinds[index] !== 'quiet') continue;
    kinds[index] = 'one core';
    left--;
  }
  return kinds;
}

const children = new Set();
const endChildren = () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
};
process.on('exit', endChildren);

/** The run of the tests, which ends its own processes at a signal. */
let test;
const interrupted = onInterrupt((signal, code) => {
  endChildren();
  if (test === undefined) process.exit(code);
  test.kill(signal);
});

/** Runs the tests once. @returns exit code and seconds */
async function runOnce(kind, busy, suites) {
  if (kind === 'busy') {
    for (let index = 0; index < busy; index++) {
      children.add(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    }
  }
  const node = [process.execPath, '--import', 'tsx', 'test/run.mjs', ...suites];
  const [command, ...args] = kind === 'one core' ? ['taskset', '-c', '0', ...node] : node;
  const started = Date.now();
  test = spawn(command, args, { stdio: 'inherit' });
  const code = await new Promise((resolve, reject) => {
    test.once('error', reject);
    test.once('exit', (status) => resolve(status ?? 1));
  });
  test = undefined;
  endChildren();
  if (interrupted() !== undefined) process.exit(interrupted());
  return { code, seconds: Math.round((Date.now() - started) / 1000) };
}

function failuresOfRun() {
  return readdirSync('test/output')
    .filter((file) => /^[a-z]+\.json$/.test(file) && file !== 'repeat.json')
    .flatMap((file) => {
      const { failures = [] } = JSON.parse(readFileSync(`test/output/${file}`, 'utf8'));
      return failures.map(({ title }) => `${file.replace('.json', '')}: ${title}`);
    });
}

/** @returns titles of the tests that failed, and the numbers of the runs */
function failedTests(runs) {
  const failed = new Map();
  for (const [index, { failures }] of runs.entries()) {
    for (const title of failures) failed.set(title, [...(failed.get(title) ?? []), index + 1]);
  }
  return failed;
}

function tableText(runs, failed) {
  const rows = runs.map(
    (run, index) =>
      `| ${index + 1} | ${run.commit} | ${run.kind} | ${run.seconds} | ${run.failures.length} |`,
  );
  const table = [
    '| run | commit | | seconds | failures |',
    '| --: | --- | --- | --: | --: |',
    ...rows,
  ].join('\n');
  const list = [...failed].map(
    ([title, numbers]) =>
      `${title}: failed in ${numbers.length} of ${runs.length} (run ${numbers.join(', ')})`,
  );
  return `${table}\n\n${list.length === 0 ? 'No test failed.' : list.join('\n')}\n`;
}

/** @throws UsageError */
function readCommand() {
  const { values, positionals } = readArguments(process.argv.slice(2), OPTIONS, nearest);
  checkNames('suite', positionals, Object.keys(SUITES), nearest);
  const number = (name, least) => wholeNumber(`--${name}`, values[name], least, 9999);
  const counts = {
    times: number('times', 1),
    busy: number('busy', 0),
    pinned: number('pinned', 0),
  };
  if (counts.pinned > 0 && spawnSync('taskset', ['--version']).error) {
    throw new UsageError(
      '--pinned needs taskset (Debian: util-linux); --pinned 0 leaves these runs out',
    );
  }
  return { ...counts, suites: positionals, isResumed: values.resume };
}

await runProgram('npm run test:repeat', async () => {
  const { suites, isResumed, ...counts } = readCommand();
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const runs = isResumed && existsSync(KEPT) ? JSON.parse(readFileSync(KEPT, 'utf8')) : [];
  /** A run empties the folder. */
  const keep = () => writeFileSync(KEPT, JSON.stringify(runs));
  for (const [index, kind] of kindsOf(counts).entries()) {
    if (index < runs.length) continue;
    console.log(`\nRun ${index + 1} of ${counts.times}: ${kind}`);
    rmSync('test/output', { recursive: true, force: true });
    mkdirSync('test/output', { recursive: true });
    keep();
    const { code, seconds } = await runOnce(kind, counts.busy, suites);
    const failures = failuresOfRun();
    if (code !== 0 && failures.length === 0) failures.push(`the run itself: exit code ${code}`);
    runs.push({ commit, kind, seconds, failures });
    keep();
  }
  const failed = failedTests(runs);
  const text = tableText(runs, failed);
  writeFileSync('test/output/repeat.md', text);
  console.log(`\n${text}`);
  process.exitCode = failed.size === 0 ? 0 : 1;
});

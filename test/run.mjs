// `npm test [-- SUITE… --coverage]`: sets up what the suites need, runs them one after the other and counts. Without a name: all.
// Set-up of its own: the bundles, Chromium (apt-get, as root on Debian), a VS Code host in the user's cache folder.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endSession } from './support/session-processes.mjs';

const REPORTER = ['--reporter', './test/support/results-reporter.ts'];
const mocha = (...args) => ['node_modules/mocha/bin/mocha.js', ...REPORTER, ...args];
const tsx = (...args) => ['--import', 'tsx', ...args];
const INSTALL = tsx('test/support/vscode-host/install.ts');

/** In the order they run: the quick ones first. `setUp` is what a suite needs besides the bundles. */
const SUITES = {
  unit: { run: mocha('test/unit/**/*.test.ts') },
  integration: { run: mocha('test/integration/**/*.test.ts') },
  fidelity: { run: mocha('test/fidelity/**/*.test.ts') },
  faults: { run: mocha('test/faults/**/*.test.ts') },
  clients: { run: mocha('test/clients/**/*.test.ts') },
  fuzz: { run: mocha('test/fuzz/**/*.test.ts') },
  components: { setUp: [...INSTALL, 'chromium'], run: mocha('test/ui-components/**/*.test.ts') },
  vscode: { setUp: INSTALL, run: tsx('test/support/vscode-host/run-suite.ts') },
  ui: { setUp: INSTALL, run: mocha('test/ui/**/*.test.ts') },
};

/** Suites that coverage is measured by. */
const COUNTED = ['unit', 'integration'];
const COVERAGE = resolve('test/output/coverage');
/**
 * Percent of lines that they execute at least: of the service, and of the folders that it exists for. The command line is not counted,
 * as tests run its bundle.
 */
const THRESHOLDS = [
  { files: ['server/**/*.ts', '!server/cli/**'], lines: 90 },
  { files: ['server/{analysis,execution,forks,projects}/**/*.ts'], lines: 95 },
];

const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/** Runs Node with `args` in a session of its own; its output is shown as it comes. */
async function node(args, env = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const interrupt = () => process.kill(-child.pid, 'SIGINT');
  process.once('SIGINT', interrupt);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1)); // null: ended by a signal
  });
  process.off('SIGINT', interrupt);
  const left = await endSession(child.pid);
  if (left.length > 0) console.error(`Left behind by it, and ended:\n${left.join('\n')}`);
  return { code, left: left.length };
}

/** Counts of one suite. One failure more where it ended badly without a failing test, ran none, or left processes. */
async function runSuite(name, { setUp, run }, args, environment) {
  const results = `test/output/${name}.json`;
  rmSync(results, { force: true });
  const started = Date.now();
  console.log(`\n── ${name} ${'─'.repeat(76 - name.length)}`);
  const prepared = setUp ? await node(setUp) : { code: 0, left: 0 };
  const { code, left } =
    prepared.code === 0
      ? await node([...run, ...args], { MOCHA_RESULTS: results, ...environment })
      : prepared;
  const counts = readResults(results);
  const { passed, failed, skipped } = counts ?? NOTHING;
  const notes = [
    ...(code !== 0 && failed === 0 ? [`exit code ${code}`] : []),
    ...(counts && passed + failed === 0 ? ['ran no test'] : []),
    ...(left > 0 ? [`left ${left} processes`] : []),
  ];
  const seconds = Math.round((Date.now() - started) / 1000);
  return {
    suite: name,
    passed,
    failed: failed + (notes.length > 0 ? 1 : 0),
    skipped,
    seconds,
    note: notes.join(', '),
    failures: counts?.failures ?? [],
  };
}

/** Compares the coverage of `COUNTED` with `THRESHOLDS`; what is not covered is listed in `test/output/coverage/`. */
async function checkCoverage() {
  const started = Date.now();
  const c8 = ['node_modules/c8/bin/c8.js'];
  const data = ['--temp-directory', `${COVERAGE}/data`, '--reports-dir', COVERAGE];
  const missed = [];
  await node([...c8, 'report', ...data, '--reporter', 'text-summary', '--reporter', 'html']);
  for (const { files, lines } of THRESHOLDS) {
    const chosen = files.flatMap((file) =>
      file.startsWith('!') ? ['--exclude', file.slice(1)] : ['--include', file],
    );
    const check = ['check-coverage', ...data, ...chosen, '--lines', String(lines)];
    const { code } = await node([...c8, ...check]);
    if (code !== 0)
      missed.push({ title: files.join(' '), message: `less than ${lines} % of the lines` });
  }
  return {
    suite: 'coverage',
    passed: THRESHOLDS.length - missed.length,
    failed: missed.length,
    skipped: 0,
    seconds: Math.round((Date.now() - started) / 1000),
    note: '',
    failures: missed,
  };
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the suite did not come to its end
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    desktop: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    // Of the suites `fidelity`, `faults` and `clients`: see test/README.md.
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    // Of the suites `fidelity` and `clients`.
    update: { type: 'boolean', default: false },
    // Of the suite `clients` alone.
    suites: { type: 'string' },
    only: { type: 'string' },
    // Of the suite `fidelity` alone.
    verbose: { type: 'boolean', default: false },
    'geth-cases': { type: 'string' },
    'execution-apis': { type: 'string' },
  },
});
const given = {
  FIDELITY_FORM: values.long || values.update ? 'long' : undefined,
  FIDELITY_UPDATE: values.update ? '1' : undefined,
  FIDELITY_VERBOSE: values.verbose ? '1' : undefined,
  FIDELITY_SEED: values.seed,
  FIDELITY_GETH_CASES: values['geth-cases'],
  FAULTS_FORM: values.long ? 'long' : undefined,
  FAULTS_SEED: values.seed,
  CLIENTS_FORM: values.long || values.update ? 'long' : undefined,
  CLIENTS_UPDATE: values.update ? '1' : undefined,
  CLIENTS_SUITES: values.suites && resolve(values.suites),
  CLIENTS_ONLY: values.only,
  FIDELITY_EXECUTION_APIS: values['execution-apis'],
};
for (const [name, value] of Object.entries(given)) if (value) process.env[name] = value;
const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  throw new Error(`unknown suite ${unknown.join(', ')}: ${Object.keys(SUITES).join(', ')}`);
}
const names = Object.keys(SUITES).filter(
  (n) => positionals.length === 0 || positionals.includes(n),
);

const isMeasured = values.coverage && COUNTED.every((name) => names.includes(name));
rmSync('test/output/screenshots', { recursive: true, force: true });
rmSync(COVERAGE, { recursive: true, force: true });
const rows = [];
const failures = []; // said once more at the end: where much is printed, only the end of it may be kept
const built = (await node(['esbuild.mjs'])).code === 0;
if (!built) rows.push({ ...NOTHING, suite: 'build', failed: 1, seconds: 0, note: 'failed' });
const add = ({ failures: failed, ...row }) => {
  rows.push(row);
  failures.push(...failed.map(({ title, message }) => `${row.suite}: ${title}\n    ${message}`));
};
for (const name of built ? names : []) {
  const desktop = values.desktop && name === 'vscode';
  const suite = desktop ? { run: SUITES[name].run } : SUITES[name];
  const measured = isMeasured && COUNTED.includes(name);
  const environment = measured ? { NODE_V8_COVERAGE: `${COVERAGE}/data` } : {};
  add(await runSuite(name, suite, desktop ? ['--desktop'] : [], environment));
}
if (built && isMeasured) add(await checkCoverage());

if (failures.length > 0) console.log(`\nFailed:\n\n${failures.join('\n\n')}`);
console.log();
console.table(rows.reduce((table, { suite, ...row }) => ({ ...table, [suite]: row }), {}));
const total = (column) => rows.reduce((sum, row) => sum + row[column], 0);
const skipped = total('skipped');
console.log(
  `${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = total('failed') > 0 ? 1 : 0;

// `npm test [-- SUITE… --coverage]`: sets up what the suites need, runs them, two at a time, and counts. Without a name: all.
// Set-up of its own: the bundles, Chromium (apt-get, as root on Debian), a VS Code host in the user's cache folder.
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import PQueue from 'p-queue';
import { checkCoverage, COUNTED, COUNTING, COVERAGE } from './support/run/coverage.mjs';
import { interruptAll, runNode } from './support/run/node.mjs';
import { Outputs } from './support/run/outputs.mjs';
import { failuresText, slowestText, totalText } from './support/run/report.mjs';
import { runSuite } from './support/run/suite.mjs';

/** Suites that run at the same time: much of a suite is waiting, for engines, processes and pages. */
const PLACES = Math.min(2, availableParallelism());
const color = process.stdout.isTTY ? ['--color'] : [];
const mocha = (files, ...args) => [
  ...['node_modules/mocha/bin/mocha.js', '--reporter', './test/support/results-reporter.ts'],
  ...[...color, ...args, files],
];
/** Files beside each other, in processes of their own. */
const PARALLEL = ['--parallel', '--jobs', String(PLACES)];
const tsx = (...args) => ['--import', 'tsx', ...args];
const INSTALL = tsx('test/support/vscode-host/install.ts');

/**
 * In the order in which they start and are shown. The integration tests run in two processes: suites with few waits run beside
 * them, and the workbench when most of them have ended. `needs` is what a suite has set up besides the bundles.
 */
const SUITES = {
  unit: { run: mocha('test/unit/**/*.test.ts') },
  integration: { run: mocha('test/integration/**/*.test.ts', ...PARALLEL) },
  fidelity: { run: mocha('test/fidelity/**/*.test.ts') },
  components: { needs: 'chromium', run: mocha('test/ui-components/**/*.test.ts') },
  ui: { needs: 'host', run: mocha('test/ui/**/*.test.ts') },
  clients: { run: mocha('test/clients/**/*.test.ts') },
  faults: { run: mocha('test/faults/**/*.test.ts') },
  cluster: { run: mocha('test/cluster/**/*.test.ts') },
  fuzz: { run: mocha('test/fuzz/**/*.test.ts') },
  vscode: { needs: 'host', run: tsx('test/support/vscode-host/run-suite.ts') },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    desktop: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    // Of the suites `fidelity`, `faults`, `cluster` and `clients`: see test/README.md.
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
  CLUSTER_FORM: values.long ? 'long' : undefined,
  CLUSTER_SEED: values.seed,
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
  (name) => positionals.length === 0 || positionals.includes(name),
);
const isMeasured = values.coverage && COUNTED.every((name) => names.includes(name));
const onDesktop = (name) => values.desktop && name === 'vscode';

const queue = new PQueue({ concurrency: PLACES });
const outputs = new Outputs((text) => process.stdout.write(text));
let isInterrupted = false;
process.on('SIGINT', () => {
  isInterrupted = true;
  interruptAll();
});

/** Runs `work`, which takes what writes its output, under a title. @returns its row of the table, and more of `report.mjs` */
async function row(suite, { write, end }, work) {
  const started = Date.now();
  write(`\n── ${suite} ${'─'.repeat(76 - suite.length)}\n`);
  const counts = isInterrupted
    ? { failed: 1, note: 'interrupted' }
    : await work(write).catch((error) => ({ failed: 1, note: error.message }));
  end();
  const seconds = Math.round((Date.now() - started) / 1000);
  return { suite, passed: 0, failed: 0, skipped: 0, seconds, note: '', ...counts };
}

/** @param priority above 0: before all that wait */
const queued = (suite, work, priority = 0) => {
  const output = outputs.add();
  return queue.add(() => row(suite, output, work), { priority });
};

/** @returns whether Chromium, and the VS Code host where a suite needs it, are there */
async function setUp() {
  const needs = names.filter((name) => !onDesktop(name)).map((name) => SUITES[name].needs);
  const isChromiumEnough = !needs.includes('host');
  if (isChromiumEnough && !needs.includes('chromium')) return true;
  const { write, end } = outputs.add();
  const { code } = await runNode([...INSTALL, ...(isChromiumEnough ? ['chromium'] : [])], write);
  end();
  return code === 0;
}

const runNamed = (name, ready) =>
  queued(name, async (write) =>
    runSuite(name, [...SUITES[name].run, ...(onDesktop(name) ? ['--desktop'] : [])], {
      write,
      env: isMeasured && COUNTED.includes(name) ? COUNTING : {},
      isReady: SUITES[name].needs === undefined || onDesktop(name) || (await ready),
    }),
  );

rmSync('test/output/screenshots', { recursive: true, force: true });
rmSync(COVERAGE, { recursive: true, force: true });
const started = Date.now();
const ready = setUp();
const building = outputs.add();
const { code: buildCode } = await runNode(['esbuild.mjs'], building.write);
building.end();
const suites = buildCode === 0 ? names.map((name) => runNamed(name, ready)) : [];
const counted = Promise.all(suites.filter((_, index) => COUNTED.includes(names[index])));
const coverage =
  buildCode === 0 && isMeasured ? [counted.then(() => queued('coverage', checkCoverage, 1))] : [];
const rows = await Promise.all([...suites, ...coverage]);
await ready;
if (buildCode !== 0) {
  rows.push({ suite: 'build', passed: 0, failed: 1, skipped: 0, seconds: 0, note: 'failed' });
}

console.log(`\nSlowest files:\n${slowestText(rows, 'slowestFiles')}`);
console.log(`\nSlowest tests:\n${slowestText(rows, 'slowestTests')}`);
const failures = failuresText(rows);
if (failures !== '') console.log(`\nFailed:\n\n${failures}`);
console.log(`\nTook ${Math.round((Date.now() - started) / 1000)} s.`);
const columns = ['passed', 'failed', 'skipped', 'seconds', 'note'];
console.table(Object.fromEntries(rows.map((row) => [row.suite, row])), columns);
console.log(totalText(rows));
process.exitCode = rows.some(({ failed }) => failed > 0) ? 1 : 0;

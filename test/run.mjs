// `npm test [-- SUITE…]`: sets up what the suites need, runs them one after the other and counts. Without a name: all.
// Set-up of its own: the bundles, Chromium (apt-get, as root on Debian), a VS Code host in the user's cache folder.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

const REPORTER = ['--reporter', './test/support/results-reporter.ts'];
const mocha = (...args) => ['node_modules/mocha/bin/mocha.js', ...REPORTER, ...args];
const tsx = (...args) => ['--import', 'tsx', ...args];
const INSTALL = tsx('test/support/vscode-host/install.ts');

/** In the order they run: the quick ones first. `setUp` is what a suite needs besides the bundles. */
const SUITES = {
  unit: { run: mocha('test/unit/**/*.test.ts') },
  integration: { run: mocha('test/integration/**/*.test.ts') },
  components: { setUp: [...INSTALL, 'chromium'], run: mocha('test/ui-components/**/*.test.ts') },
  vscode: { setUp: INSTALL, run: tsx('test/support/vscode-host/run-suite.ts') },
  ui: { setUp: INSTALL, run: mocha('test/ui/**/*.test.ts') },
};

const NOTHING = { passed: 0, failed: 0, skipped: 0 };

/** Runs Node with `args`; its output is shown as it comes. @returns exit code, 1 when a signal ended it. */
function node(args, env = {}) {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Counts of one suite. One failure more where it ended badly without a failing test, or ran none. */
async function runSuite(name, { setUp, run }, args) {
  const results = `test/output/${name}.json`;
  rmSync(results, { force: true });
  const started = Date.now();
  console.log(`\n── ${name} ${'─'.repeat(76 - name.length)}`);
  const code =
    setUp && (await node(setUp)) !== 0
      ? 1
      : await node([...run, ...args], { MOCHA_RESULTS: results });
  const counts = readResults(results);
  const { passed, failed, skipped } = counts ?? NOTHING;
  const broken = failed === 0 && (code !== 0 || passed === 0);
  const seconds = Math.round((Date.now() - started) / 1000);
  const note = !broken
    ? ''
    : counts && passed === 0
      ? 'ran no test'
      : `ended with exit code ${code}`;
  return { suite: name, passed, failed: failed + (broken ? 1 : 0), skipped, seconds, note };
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
  options: { desktop: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  throw new Error(`unknown suite ${unknown.join(', ')}: ${Object.keys(SUITES).join(', ')}`);
}
const names = Object.keys(SUITES).filter(
  (n) => positionals.length === 0 || positionals.includes(n),
);

rmSync('test/output/screenshots', { recursive: true, force: true });
const rows = [];
const built = (await node(['esbuild.mjs'])) === 0;
if (!built) rows.push({ ...NOTHING, suite: 'build', failed: 1, seconds: 0, note: 'failed' });
for (const name of built ? names : []) {
  const desktop = values.desktop && name === 'vscode';
  const suite = desktop ? { run: SUITES[name].run } : SUITES[name];
  rows.push(await runSuite(name, suite, desktop ? ['--desktop'] : []));
}

console.log();
console.table(rows.reduce((table, { suite, ...row }) => ({ ...table, [suite]: row }), {}));
const total = (column) => rows.reduce((sum, row) => sum + row[column], 0);
const skipped = total('skipped');
console.log(
  `${total('passed')} passed, ${total('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
);
process.exitCode = total('failed') > 0 ? 1 : 0;

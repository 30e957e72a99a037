// `npm test [-- SUITE… --all --coverage --changed]`: sets up what the suites need, runs them, two at a time, and counts. Without a
// name: the quick files of all suites; with `--all`, or of suites that are named, all files.
// Set-up of its own: the bundles, Chromium (apt-get, as root on Debian), a VS Code host in the user's cache folder.
import { mkdirSync, rmSync } from 'node:fs';
import PQueue from 'p-queue';
import { nearest } from '../server/api/nearest';
import { runProgram } from './support/run/arguments.mjs';
import { runChanged } from './support/run/changed.mjs';
import { checkCoverage, COUNTED, COUNTING, COVERAGE } from './support/run/coverage.mjs';
import { onInterrupt } from './support/run/interrupts.mjs';
import { forgetLeftOut, leftOutText, NOTING } from './support/run/left-out.mjs';
import { interruptAll, runNode } from './support/run/node.mjs';
import { readOptions, suiteEnvironment } from './support/run/options.mjs';
import { Outputs } from './support/run/outputs.mjs';
import { failuresText, slowestText, totalText } from './support/run/report.mjs';
import { runSuite } from './support/run/suite.mjs';
import { installArguments, PLACES, suiteArguments, SUITES } from './support/run/suites.mjs';

const interrupted = onInterrupt(interruptAll);

await runProgram('npm test', async () => {
  const options = readOptions(process.argv.slice(2), nearest);
  process.exitCode = options.values.changed ? await runChanged(options.values) : await run(options);
});

/** @returns the exit code */
async function run({ names, values, isWhole }) {
  Object.assign(process.env, suiteEnvironment(values), NOTING);
  const outputs = new Outputs((text) => process.stdout.write(text));
  const isOnDesktop = (name) => values.desktop && name === 'vscode';
  const isWithout = (name) =>
    values['no-host'] && SUITES[name].needs === 'host' && !isOnDesktop(name);
  const chosen = names.filter((name) => !isWithout(name));
  const isMeasured = values.coverage && COUNTED.every((name) => chosen.includes(name));

  mkdirSync('test/output', { recursive: true });
  for (const folder of ['test/output/screenshots', COVERAGE])
    rmSync(folder, { recursive: true, force: true });
  forgetLeftOut();
  const started = Date.now();
  const ready = setUp(
    outputs,
    chosen.filter((name) => !isOnDesktop(name)).map((name) => SUITES[name].needs),
  );
  const building = outputs.add();
  const isBuilt = (await runNode(['esbuild.mjs'], building.write)).code === 0;
  building.end();

  const queue = new PQueue({ concurrency: PLACES });
  const runNamed = (name) =>
    queue.add(() =>
      row(name, outputs.add(), async (write) =>
        runSuite(name, suiteArguments(name, { isWhole, isOnDesktop: isOnDesktop(name) }), {
          write,
          env: isMeasured && COUNTED.includes(name) ? COUNTING : {},
          isReady: SUITES[name].needs === undefined || isOnDesktop(name) || (await ready),
        }),
      ),
    );
  const suites = isBuilt ? chosen.map(runNamed) : [];
  const counted = Promise.all(suites.filter((_, index) => COUNTED.includes(chosen[index])));
  const measure = () =>
    queue.add(() => row('coverage', outputs.add(), checkCoverage), { priority: 1 });
  const coverage = isBuilt && isMeasured ? [counted.then(measure)] : [];
  const rows = await Promise.all([...suites, ...coverage]);
  await ready;
  if (!isBuilt) {
    rows.push({ suite: 'build', passed: 0, failed: 1, skipped: 0, seconds: 0, note: 'failed' });
  }
  const without = names.filter(isWithout).map((name) => ({
    name,
    reason: 'the VS Code host is not installed with --no-host',
  }));
  return report(rows, leftOutText(without), Date.now() - started);
}

/** Prints the end of a run. @returns the exit code */
function report(rows, leftOut, milliseconds) {
  console.log(`\nSlowest files:\n${slowestText(rows, 'slowestFiles')}`);
  console.log(`\nSlowest tests:\n${slowestText(rows, 'slowestTests')}`);
  const failures = failuresText(rows);
  if (failures !== '') console.log(`\nFailed:\n\n${failures}`);
  // On the machines that decide about a change, a test that did not run has not passed.
  if (leftOut !== '' && process.env.CI) {
    rows.push({
      suite: 'left out',
      passed: 0,
      failed: 1,
      skipped: 0,
      seconds: 0,
      note: 'see above',
    });
  }
  if (leftOut !== '') console.log(`\nLeft out:\n${leftOut}`);
  console.log(`\nTook ${Math.round(milliseconds / 1000)} s.`);
  const columns = ['passed', 'failed', 'skipped', 'seconds', 'note'];
  console.table(Object.fromEntries(rows.map((one) => [one.suite, one])), columns);
  console.log(totalText(rows));
  return interrupted() ?? (rows.some(({ failed }) => failed > 0) ? 1 : 0);
}

/** Runs `work`, which takes what writes its output, under a title. @returns its row of the table, and more of `report.mjs` */
async function row(suite, { write, end }, work) {
  const started = Date.now();
  write(`\n── ${suite} ${'─'.repeat(76 - suite.length)}\n`);
  const counts = interrupted()
    ? { failed: 1, note: 'interrupted' }
    : await work(write).catch((error) => ({ failed: 1, note: error.message }));
  end();
  const seconds = Math.round((Date.now() - started) / 1000);
  return { suite, passed: 0, failed: 0, skipped: 0, seconds, note: '', ...counts };
}

/** @param needs of the suites @returns whether Chromium, and the VS Code host where a suite needs it, are installed */
async function setUp(outputs, needs) {
  const needed = ['host', 'chromium'].find((one) => needs.includes(one));
  if (needed === undefined) return true;
  const { write, end } = outputs.add();
  const { code } = await runNode(installArguments(needed), write);
  end();
  return code === 0;
}

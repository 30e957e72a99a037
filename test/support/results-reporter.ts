import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

const SHOWN = 10;

/**
 * Mocha's `spec` on the terminal, plus the counts, the failures and what took longest as JSON in the file that the environment variable
 * `MOCHA_RESULTS` names, so that a runner need not read text meant for people. Hook failures count as failures, as on the terminal.
 * The time of a file is that of its tests and hooks. `export =` because mocha takes what `require` returns.
 */
class ResultsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['MOCHA_RESULTS'];
    if (!file) return;
    const failures: { title: string; message: string; file: string }[] = [];
    const tests: Duration[] = [];
    const files = new Map<string, number>();
    const count = (runnable: Mocha.Runnable): void => {
      const name = path.relative(process.cwd(), runnable.file ?? '');
      files.set(name, (files.get(name) ?? 0) + (runnable.duration ?? 0));
    };
    runner.on(Mocha.Runner.constants.EVENT_TEST_END, (test) => {
      tests.push({ name: test.fullTitle(), milliseconds: test.duration ?? 0 });
      count(test);
    });
    runner.on(Mocha.Runner.constants.EVENT_HOOK_END, count);
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error: Error) => {
      // Of a test in another process, the error is a plain object.
      const file = path.relative(process.cwd(), test.file ?? test.parent?.file ?? '');
      failures.push({ title: test.fullTitle(), message: error.stack ?? error.message, file });
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes = 0, failures: failed = 0, pending = 0 } = runner.stats ?? {};
      const results = {
        passed: passes,
        failed,
        skipped: pending,
        failures,
        slowestTests: slowest(tests),
        slowestFiles: slowest(
          Array.from(files, ([name, milliseconds]) => ({ name, milliseconds })),
        ),
      };
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, JSON.stringify(results, null, 2));
    });
  }
}

interface Duration {
  name: string;
  milliseconds: number;
}

const slowest = (durations: readonly Duration[]): Duration[] =>
  [...durations].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SHOWN);

export = ResultsReporter;

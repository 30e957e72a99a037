import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/**
 * Mocha's `spec` on the terminal, and the counts as JSON in the file that the environment variable `MOCHA_RESULTS` names, so that runners
 * need not parse the terminal's text. Hook failures count as failures, as on the terminal. `export =`, because mocha calls what `require`
 * returns.
 */
class ResultsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env['MOCHA_RESULTS'];
    if (!file) return;
    const failures: { title: string; message: string }[] = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error: unknown) => {
      failures.push({ title: test.fullTitle(), message: String(error) });
    });
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes = 0, failures: failed = 0, pending = 0, duration = 0 } = runner.stats ?? {};
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(
        file,
        JSON.stringify(
          { passed: passes, failed, skipped: pending, milliseconds: duration, failures },
          null,
          2,
        ),
      );
    });
  }
}

export = ResultsReporter;

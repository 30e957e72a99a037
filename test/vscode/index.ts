import fs from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import ResultsReporter from '../support/results-reporter';
import { SUITE_LINE } from '../support/vscode-host/suite-line';

/** Entry point of the suite, called by VS Code inside the extension host. @throws Error if a test failed or none ran */
export async function run(): Promise<void> {
  // Formats each line here, because the extension host's log does not expand placeholders. The prefix separates it from other logs.
  Mocha.reporters.Base.consoleLog = (...values: unknown[]) => {
    for (const line of format(...values).split('\n')) console.log(SUITE_LINE + line);
  };
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 60_000,
    color: false,
    forbidOnly: true,
    reporter: ResultsReporter,
  });
  for (const name of fs.readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(path.join(__dirname, name));
  }
  await new Promise<void>((resolve, reject) => {
    const runner = mocha.run((failures) => {
      const tests = runner.stats?.tests ?? 0;
      if (failures > 0 || tests === 0) reject(new Error(`${failures} of ${tests} tests failed`));
      else resolve();
    });
  });
}

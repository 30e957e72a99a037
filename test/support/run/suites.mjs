import { availableParallelism } from 'node:os';

/** Suites, and processes of a suite, that run at the same time: two, or one on a single core. */
export const PLACES = Math.min(2, availableParallelism());

/**
 * Suites in the order in which they start and are shown. `jobs`: processes that run the suite's files. `needs`: what the suite's
 * set-up installs besides the bundles.
 */
export const SUITES = {
  unit: { files: 'test/unit', jobs: PLACES },
  integration: { files: 'test/integration', jobs: PLACES },
  fidelity: { files: 'test/fidelity' },
  components: { files: 'test/ui-components', needs: 'chromium' },
  ui: { files: 'test/ui', needs: 'host' },
  clients: { files: 'test/clients' },
  faults: { files: 'test/faults' },
  cluster: { files: 'test/cluster' },
  fuzz: { files: 'test/fuzz' },
  vscode: { script: 'test/support/vscode-host/run-suite.ts', needs: 'host' },
};

const tsx = (...args) => ['--import', 'tsx', ...args];

/** Arguments of Node that install Chromium and, unless it is `chromium` alone, the VS Code host. */
export const installArguments = (needed) =>
  tsx('test/support/vscode-host/install.ts', ...(needed === 'chromium' ? [needed] : []));

/**
 * Arguments of Node that run a suite.
 * @param isWhole false: without the files named `*.long.test.ts`
 */
export function suiteArguments(name, { isWhole, isOnDesktop }) {
  const { files, script, jobs = 1 } = SUITES[name];
  if (script) return tsx(script, ...(isOnDesktop ? ['--desktop'] : []));
  return [
    ...['node_modules/mocha/bin/mocha.js', '--reporter', './test/support/results-reporter.ts'],
    ...(process.stdout.isTTY ? ['--color'] : []),
    ...(jobs > 1 ? ['--parallel', '--jobs', String(jobs)] : []),
    ...['--require', 'test/support/run/patient-timeouts.mjs'],
    `${files}/**/${isWhole ? '*' : '!(*.long)'}.test.ts`,
  ];
}

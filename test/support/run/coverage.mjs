import { resolve } from 'node:path';
import { runNode } from './node.mjs';

/** Suites that coverage is measured by. */
export const COUNTED = ['unit', 'integration'];
export const COVERAGE = resolve('test/output/coverage');
const DATA = `${COVERAGE}/data`;
/** What makes Node write down which lines it executes. */
export const COUNTING = { NODE_V8_COVERAGE: DATA };
/**
 * Percent of lines that they execute at least: of the service, and of the folders that it exists for. The command line is not counted,
 * as tests run its bundle.
 */
const THRESHOLDS = [
  { files: ['server/**/*.ts', '!server/cli/**'], lines: 90 },
  { files: ['server/{analysis,execution,forks,projects}/**/*.ts'], lines: 95 },
];

/** Compares the coverage of `COUNTED` with `THRESHOLDS`; what is not covered is listed in `test/output/coverage/`. */
export async function checkCoverage(write) {
  const c8 = ['node_modules/c8/bin/c8.js'];
  const data = ['--temp-directory', DATA, '--reports-dir', COVERAGE];
  const failures = [];
  await runNode(
    [...c8, 'report', ...data, '--reporter', 'text-summary', '--reporter', 'html'],
    write,
  );
  for (const { files, lines } of THRESHOLDS) {
    const chosen = files.flatMap((file) =>
      file.startsWith('!') ? ['--exclude', file.slice(1)] : ['--include', file],
    );
    const check = ['check-coverage', ...data, ...chosen, '--lines', String(lines)];
    const { code } = await runNode([...c8, ...check], write);
    if (code !== 0)
      failures.push({ title: files.join(' '), message: `less than ${lines} % of the lines` });
  }
  return { passed: THRESHOLDS.length - failures.length, failed: failures.length, failures };
}

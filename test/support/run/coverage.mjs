import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
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
  { of: 'the service', files: /^server\/(?!cli\/)/, lines: 90 },
  {
    of: 'analysis, execution, forks and projects',
    files: /^server\/(analysis|execution|forks|projects)\//,
    lines: 95,
  },
];

/** Compares the coverage of `COUNTED` with `THRESHOLDS`; what is not covered is listed in `test/output/coverage/`. */
export async function checkCoverage(write) {
  const { code } = await runNode(
    [
      ...['node_modules/c8/bin/c8.js', 'report', '--temp-directory', DATA],
      ...['--reports-dir', COVERAGE, '--reporter', 'text-summary'],
      ...['--reporter', 'html', '--reporter', 'json-summary'],
    ],
    write,
  );
  if (code !== 0) throw new Error('the report of the coverage failed');
  const summary = JSON.parse(await readFile(`${COVERAGE}/coverage-summary.json`, 'utf8'));
  const failures = THRESHOLDS.flatMap(({ of, files, lines }) => {
    const percent = percentOfLines(summary, files);
    const message = `${percent.toFixed(2)} % of the lines are executed; the threshold is ${lines} %`;
    write(`${of}: ${message}\n`);
    return percent < lines ? [{ title: of, message }] : [];
  });
  return { passed: THRESHOLDS.length - failures.length, failed: failures.length, failures };
}

function percentOfLines(summary, files) {
  const counts = Object.entries(summary).filter(([file]) => files.test(relative('.', file)));
  const sum = (key) => counts.reduce((total, [, { lines }]) => total + lines[key], 0);
  return (100 * sum('covered')) / sum('total');
}

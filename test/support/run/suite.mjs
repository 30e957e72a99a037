import { readFileSync, rmSync } from 'node:fs';
import { runNode } from './node.mjs';

/**
 * Runs a suite that reports to the file in `MOCHA_RESULTS`.
 * @param isReady false where its set-up failed
 * @returns its counts. One failure more where it ended badly without a failing test, ran none, or left processes.
 */
export async function runSuite(name, args, { write, env, isReady }) {
  const file = `test/output/${name}.json`;
  rmSync(file, { force: true });
  const { code, left } = isReady
    ? await runNode(args, write, { MOCHA_RESULTS: file, ...env })
    : { code: 1, left: 0 };
  const results = readResults(file);
  const { passed = 0, failed = 0, skipped = 0 } = results ?? {};
  const notes = [
    ...(isReady ? [] : ['set-up failed']),
    ...(isReady && code !== 0 && failed === 0 ? [`exit code ${code}`] : []),
    ...(results && passed + failed + skipped === 0 ? ['ran no test'] : []),
    ...(left > 0 ? [`left ${left} processes`] : []),
  ];
  return {
    ...results,
    ...{ passed, skipped, failed: failed + (notes.length > 0 ? 1 : 0), note: notes.join(', ') },
  };
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // the suite did not come to its end
  }
}

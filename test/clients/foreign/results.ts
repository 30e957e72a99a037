import { readFile, rm } from 'node:fs/promises';
import type { Outcome } from '../outcomes';
import type { Ended } from './command';

interface MochaTest {
  fullTitle: string;
  file?: string;
  err: { message?: string };
}

interface VitestFile {
  name: string;
  message: string;
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
}

const failed = (why = 'no message'): Outcome => ({ status: 'failed', why: why.slice(0, 600) });

async function resultsOf<T>(file: string, run: () => Promise<Ended>): Promise<T> {
  await rm(file, { force: true });
  const { code, output } = await run();
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return JSON.parse(text) as T;
  const how = code === null ? 'took too long' : `ended with code ${code}`;
  throw new Error(`the tests ${how} and left no results: ${output}`);
}

/** Numbers repeated titles, so that none replaces another. */
function collect(all: Iterable<readonly [string, Outcome]>): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  const seen = new Map<string, number>();
  for (const [title, outcome] of all) {
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    outcomes.set(count === 1 ? title : `${title} (${count})`, outcome);
  }
  return outcomes;
}

/** Outcomes from mocha's reporter `json`. @param run writes the file */
export async function mochaOutcomes(
  file: string,
  run: () => Promise<Ended>,
): Promise<Map<string, Outcome>> {
  const { tests, pending } = await resultsOf<{ tests: MochaTest[]; pending: MochaTest[] }>(
    file,
    run,
  );
  const skipped = new Set(pending.map(({ fullTitle }) => fullTitle));
  return collect(
    tests
      .filter(({ fullTitle }) => !skipped.has(fullTitle))
      .map(({ fullTitle, err }) => [
        fullTitle,
        Object.keys(err).length === 0 ? { status: 'passed' } : failed(err.message),
      ]),
  );
}

/** Outcomes from vitest's reporter `json`. @param run writes the file */
export async function vitestOutcomes(
  file: string,
  run: () => Promise<Ended>,
): Promise<Map<string, Outcome>> {
  const { testResults } = await resultsOf<{ testResults: VitestFile[] }>(file, run);
  const all = testResults.flatMap(({ name, message, assertionResults }) => {
    const short = name.split('/').slice(-2).join('/');
    const tests = assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(
        ({ fullName, status, failureMessages }) =>
          [
            `${short} > ${fullName.trim()}`,
            status === 'passed' ? ({ status: 'passed' } as const) : failed(failureMessages[0]),
          ] as const,
      );
    return tests.length === 0 && message !== '' ? [[short, failed(message)] as const] : tests;
  });
  return collect(all);
}

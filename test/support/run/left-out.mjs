import { existsSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

const FILE = resolve('test/output/left-out.jsonl');

/** Where tests note what they leave out, as lines that `test/support/programs.ts` writes. */
export const NOTING = { TEST_LEFT_OUT: FILE };

export const forgetLeftOut = () => rmSync(FILE, { force: true });

/**
 * What the run left out, and the command that installs what was missing.
 * @param suites names of suites that were left out, with the reason
 * @returns lines; empty if nothing was left out
 */
export function leftOutText(suites = []) {
  const entries = existsSync(FILE)
    ? readFileSync(FILE, 'utf8').trim().split('\n').filter(Boolean).map(JSON.parse)
    : [];
  const lines = suites.map(({ name, reason }) => `suite ${name}: ${reason}`);
  for (const program of unique(entries.map((entry) => entry.program))) {
    const titles = unique(
      entries.filter((entry) => entry.program === program).map(({ title }) => title),
    );
    lines.push(`without ${program}: ${titles.join('; ')}`);
  }
  const packages = unique(entries.map((entry) => entry.package));
  if (packages.length > 0) {
    lines.push(`Install: apt-get install --no-install-recommends ${packages.join(' ')}`);
  }
  return lines.join('\n');
}

const unique = (values) => [...new Set(values)].sort();

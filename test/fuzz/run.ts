// `npm run fuzz [-- --cases N --seed S --only rest|rpc|transactions|sources|files|webview|mcp --minutes M]`: sends generated values to every surface of the
// product. Checks that each is answered as documented, that no answer contains private data of the machine, and that everything else works.
import { parseArgs } from 'node:util';
import type { CampaignResult } from './campaign';
import { TARGETS, type TargetName } from './targets';

const NAMES = Object.keys(TARGETS) as TargetName[];
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true, default: NAMES },
    minutes: { type: 'string' },
  },
});

const number = (name: 'cases' | 'seed' | 'minutes', text: string): number => {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new Error(`--${name} is "${text}"; accepted: a number`);
};

function print({ target, coverage, findings }: CampaignResult): void {
  const list = (names: readonly string[]): string => names.join(', ') || 'none';
  console.log(`\n${target}: never taken: ${list(coverage.neverTaken)}`);
  console.log(`${target}: never refused: ${list(coverage.neverRefused)}`);
  for (const { seed, script, message } of findings) {
    console.log(`\n${target} FAILED (npm run fuzz -- --only ${target} --seed ${seed} --cases 1)`);
    console.log(`${message}\n${script}`);
  }
}

async function main(): Promise<void> {
  const unknown = values.only.filter((name) => !Object.hasOwn(TARGETS, name));
  if (unknown.length > 0) throw new Error(`--only is ${unknown.join()}; accepted: ${NAMES.join()}`);
  const only = values.only as TargetName[];
  const seed = values.seed === undefined ? Date.now() & 0x7fffffff : number('seed', values.seed);
  const total = number('cases', values.cases);
  const minutes = values.minutes === undefined ? Infinity : number('minutes', values.minutes);
  console.log(`seed ${seed}`);
  const shares = only.reduce((sum, name) => sum + TARGETS[name].share, 0);
  const results: CampaignResult[] = [];
  for (const name of only) {
    const cases = Math.ceil((total * TARGETS[name].share) / shares);
    const deadline = performance.now() + (minutes / only.length) * 60_000;
    const done = await TARGETS[name].run(name, [{ cases, seed, deadline }]);
    done.forEach(print);
    results.push(...done);
  }
  const rows = results.map(({ target, cases, seconds, coverage, findings }) => ({
    target,
    cases,
    seconds,
    known: coverage.known,
    taken: coverage.known - coverage.neverTaken.length,
    refused: coverage.known - coverage.neverRefused.length,
    failures: findings.length,
  }));
  console.table(rows);
  console.log(`${rows.reduce((sum, row) => sum + row.cases, 0)} cases, seed ${seed}`);
  process.exitCode = rows.some(({ failures }) => failures > 0) ? 1 : 0;
}

void main();

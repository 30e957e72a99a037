// `npm run fuzz [-- --cases N --seed S --only rest|rpc|mcp|transactions|cases|sources|files|webview --minutes M]`: sends generated values to every surface of the
// product. Checks that each is answered as documented, that no answer contains private data of the machine, and that everything else works.
import { nearest } from '../../server/api/nearest';
import {
  checkNames,
  readArguments,
  runProgram,
  UsageError,
  wholeNumber,
} from '../support/run/arguments.mjs';
import type { CampaignResult } from './campaign';
import { TARGETS, type TargetName } from './targets';

/** Seconds: a longer pause of the service is a finding. */
const PAUSE = 0.1;
const NAMES = Object.keys(TARGETS) as TargetName[];
const OPTIONS = {
  cases: { type: 'string', default: '100000' },
  seed: { type: 'string' },
  only: { type: 'string', multiple: true, default: NAMES },
  minutes: { type: 'string' },
} as const;

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
  const { values, positionals } = readArguments(process.argv.slice(2), OPTIONS, nearest);
  if (positionals.length > 0) {
    throw new UsageError(
      `unexpected argument ${positionals[0]}; accepted: options (--only names a target)`,
    );
  }
  checkNames('target', values.only, NAMES, nearest);
  const only = values.only as TargetName[];
  const number = (name: 'cases' | 'seed' | 'minutes', least: number, most: number): number =>
    wholeNumber(`--${name}`, values[name] ?? '', least, most);
  const seed = values.seed === undefined ? Date.now() & 0x7fffffff : number('seed', 0, 2 ** 32 - 1);
  const total = number('cases', 1, 1_000_000_000);
  const minutes = values.minutes === undefined ? Infinity : number('minutes', 1, 100_000);
  console.log(`seed ${seed}`);
  const shares = only.reduce((sum, name) => sum + TARGETS[name].share, 0);
  const results: CampaignResult[] = [];
  for (const name of only) {
    const cases = Math.ceil((total * TARGETS[name].share) / shares);
    const deadline = performance.now() + (minutes / only.length) * 60_000;
    const done = await TARGETS[name].run(name, [{ cases, seed, deadline }], PAUSE);
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

void runProgram('npm run fuzz', main);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startArchive } from '../support/archive';
import { binary, SOLC } from '../support/foundry';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { UpstreamProxy } from '../support/upstream-proxy';

/*
 * Measures suites of 50 and 500 fork tests by forge, each of which reads 12 slots at one of six blocks: from its lockfile alone, from a
 * local node, and from the same node 50 ms away. They take turns. The whole command is measured. Foundry's own cache is off. The tests
 * are in contracts of 50, which forge runs beside each other.
 *
 *     npm run bench -- lock
 */

const SUITES = [
  { tests: 50, rounds: 3 },
  { tests: 500, rounds: 1 },
];
const TESTS_A_CONTRACT = 50;
const SLOTS = 12;
const LATENCY_MS = 50;
const ROOT = join(__dirname, '../..');
const CLI = join(ROOT, 'dist/cli.js');

/** @param first number of the first test */
const contract = (first: number): string => {
  const tests = Array.from({ length: TESTS_A_CONTRACT }, (_, index) => {
    const from = (first + index) * SLOTS;
    return `    function test_${first + index}() external {
        vm.createSelectFork("named", ${(index % 6) + 1});
        for (uint256 i = ${from}; i < ${from + SLOTS}; i++) slot(i);
    }`;
  });
  return `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {Common} from "./Common.sol";
contract Many${first}Test is Common {
${tests.join('\n')}
}`;
};

async function projectIn(home: string, tests: number): Promise<string> {
  const project = join(home, `project-${tests}`);
  await cp(join(ROOT, 'test/fixtures/lock'), project, { recursive: true });
  for (const file of ['Fork.t.sol', 'Invariant.t.sol']) await rm(join(project, 'test', file));
  for (let first = 0; first < tests; first += TESTS_A_CONTRACT) {
    await writeFile(join(project, `test/Many${first}.t.sol`), contract(first));
  }
  return project;
}

/** Runs a command. @returns its time in ms @throws if it fails */
async function timed(
  words: readonly string[],
  cwd: string,
  variables: Record<string, string>,
): Promise<number> {
  const started = performance.now();
  const [file = '', ...args] = words;
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: [dirname(binary('forge')), process.env['PATH'] ?? ''].join(delimiter),
      HOME: cwd,
      FOUNDRY_SOLC: SOLC,
      FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
      FOUNDRY_NO_STORAGE_CACHING: 'true',
      ...variables,
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${words.join(' ')} ended with code ${String(code)}`);
  return performance.now() - started;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

interface Measured {
  tests: number;
  rounds: number;
  project: string;
}

async function measure(
  { tests, rounds, project }: Measured,
  node: string,
  far: string,
): Promise<void> {
  const forge = ['forge', 'test'];
  const locked = (command: string, ...options: string[]): string[] => [
    process.execPath,
    CLI,
    'lock',
    command,
    ...options,
    '--',
    ...forge,
  ];
  await timed(locked('record'), project, { ARCHIVE_URL: node });
  const text = await readFile(join(project, 'forklens.lock'));
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
  console.log(
    `\nlockfile of ${tests} tests: ${kilobytes(text.length)}, compressed ${kilobytes(gzipSync(text).length)} (aim: 2000 kB)`,
  );
  const runs: [name: string, run: () => Promise<number>][] = [
    ['the lockfile alone', () => timed(locked('run', '--frozen'), project, {})],
    ['a local node', () => timed(forge, project, { ARCHIVE_URL: node })],
    [`a node ${LATENCY_MS} ms away`, () => timed(forge, project, { ARCHIVE_URL: far })],
  ];
  const times = runs.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, run]] of runs.entries()) times[index]!.push(await run());
  }
  for (const [index, [name]] of runs.entries()) {
    console.log(`${name.padEnd(24)} p50 ${median(times[index]!).toFixed(0).padStart(6)} ms`);
  }
  const [frozen, local, remote] = times.map(median) as [number, number, number];
  console.log(`frozen / local node: ${(frozen / local).toFixed(2)} (aim: 1.2)`);
  console.log(`node ${LATENCY_MS} ms away / frozen: ${(remote / frozen).toFixed(1)} (aim: 10)`);
}

async function main(): Promise<void> {
  const home = await makeTemporaryDirectory();
  const node = await startArchive();
  const far = await UpstreamProxy.start(node.url);
  far.latencyMs = LATENCY_MS;
  try {
    for (const { tests, rounds } of SUITES) {
      const project = await projectIn(home, tests);
      await measure({ tests, rounds, project }, node.url, far.url);
    }
  } finally {
    await far.close();
    await node.stop();
    await removeDirectory(home);
  }
}

void main();

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { SUITE_LINE } from '../support/vscode-host/suite-line';
import { openWorkbench } from '../support/vscode-host/workbench';
import type { ActivationTimes } from './activation-suite';

/*
 * Measures what the extension adds to the start of the editor: loading its bundle, and `activate()`. Each run is a new editor with a new
 * extension host. The figures are medians. Loading times are whole milliseconds.
 *
 *     npm run bench -- activation
 */

const RUNS = 7;
const ROOT = path.resolve(__dirname, '../..');
const SUITE = path.join(ROOT, 'dist/test/activation.js');

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const row = (values: readonly number[]): Record<string, string> => ({
  median: `${median(values).toFixed(1)} ms`,
  fastest: `${Math.min(...values).toFixed(1)} ms`,
  slowest: `${Math.max(...values).toFixed(1)} ms`,
});

async function start(): Promise<ActivationTimes> {
  let printed: string | undefined;
  const workbench = await openWorkbench({
    extension: ROOT,
    suite: SUITE,
    onLog: (_level, text) => {
      if (text.startsWith(SUITE_LINE)) printed = text.slice(SUITE_LINE.length);
    },
  });
  const ended = await workbench.suiteEnded;
  await workbench.close();
  assert.equal(ended, 0);
  assert.ok(printed, 'the suite printed nothing');
  return JSON.parse(printed) as ActivationTimes;
}

async function main(): Promise<void> {
  const node = (...args: string[]): void => {
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  };
  node('esbuild.mjs', 'extension');
  node('--import', 'tsx', 'test/support/vscode-host/install.ts');
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    entryPoints: [path.join(__dirname, 'activation-suite.ts')],
    outfile: SUITE,
    external: ['vscode'],
  });
  const times: ActivationTimes[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await start());
  const kilobytes = statSync(path.join(ROOT, 'dist/extension.js')).size / 1000;
  console.table({
    [`loading ${kilobytes.toFixed(0)} kB`]: row(times.map(({ load }) => load)),
    'activate()': row(times.map(({ activate }) => activate)),
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

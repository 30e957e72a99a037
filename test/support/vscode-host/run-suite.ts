/**
 * `tsx test/support/vscode-host/run-suite.ts [--desktop]`: runs the bundled mocha suite inside a real extension host.
 * By default it runs in the installed host; `--desktop` downloads a desktop VS Code (`VSCODE_VERSION`, default
 * `stable`). The counts are written to the file in `MOCHA_RESULTS`. The exit code is 1 on any failure, or if no test ran.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { serviceSettings } from './service-settings';
import { SUITE_LINE } from './suite-line';
import { openWorkbench } from './workbench';

const LIMIT_MS = 5 * 60_000;
const extension = path.resolve(__dirname, '../../..');
const suite = path.join(extension, 'dist/test/vscode/index.js');
const output = path.join(extension, 'test/output');
const results = path.resolve(process.env['MOCHA_RESULTS'] ?? path.join(output, 'vscode.json'));
const env = { MOCHA_RESULTS: results };

async function runInHost(): Promise<void> {
  const log: string[] = [];
  const workbench = await openWorkbench({
    extension,
    suite,
    env,
    onLog: (level, text) => {
      if (text.startsWith(SUITE_LINE)) console.log(text.slice(SUITE_LINE.length));
      else log.push(`${level} ${text}`);
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      resolve(`not within ${LIMIT_MS / 60_000} minutes`);
    }, LIMIT_MS);
  });
  const ended = await Promise.race([workbench.suiteEnded, tooLate]);
  clearTimeout(timer);
  if (ended !== 0) {
    await workbench.page.screenshot({ path: path.join(output, 'vscode-failed.png') });
    fs.writeFileSync(
      path.join(output, 'vscode-failed.log'),
      [...log, ...workbench.console].join('\n'),
    );
  }
  const left = await workbench.close();
  assert.equal(ended, 0, `the suite ended: ${ended}; see test/output/vscode-failed.png and .log`);
  assert.deepEqual(left, [], `processes outlived VS Code:\n${left.join('\n')}`);
}

async function runOnDesktop(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'forklens-desktop-'));
  const workspace = path.join(folder, 'workspace');
  const settings = path.join(folder, 'user-data/User/settings.json');
  fs.mkdirSync(workspace);
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  fs.writeFileSync(settings, JSON.stringify(serviceSettings(folder)));
  try {
    await runTests({
      version: process.env['VSCODE_VERSION'] ?? 'stable',
      extensionDevelopmentPath: extension,
      extensionTestsPath: suite,
      extensionTestsEnv: env,
      launchArgs: [
        workspace,
        '--user-data-dir',
        path.join(folder, 'user-data'),
        '--disable-extensions',
        '--disable-workspace-trust',
        '--use-inmemory-secretstorage',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  fs.mkdirSync(output, { recursive: true });
  fs.rmSync(results, { force: true });
  await (process.argv.includes('--desktop') ? runOnDesktop() : runInHost());
  if (!fs.existsSync(results)) throw new Error('the suite wrote no results');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

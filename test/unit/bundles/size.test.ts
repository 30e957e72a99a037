import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** Largest size of what is loaded into an editor or a webview, in kB (1,000 bytes). */
const BUDGETS = { 'extension.js': 300, 'inspector.js': 300, 'inspector.css': 60 };

describe('the bundles of the editor side', () => {
  before(() => {
    execFileSync(process.execPath, ['esbuild.mjs', 'extension'], { cwd: ROOT, stdio: 'inherit' });
  });

  for (const [name, budget] of Object.entries(BUDGETS)) {
    it(`${name} is at most ${budget} kB`, () => {
      const kilobytes = statSync(path.join(ROOT, 'dist', name)).size / 1000;
      assert.ok(kilobytes <= budget, `${name} has ${kilobytes} kB`);
    });
  }
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');

/** Largest size of the bundles that an editor or a webview loads, in kB (1,000 bytes). */
const BUDGETS = { 'extension.js': 310, 'inspector-worker.js': 300, 'inspector.css': 64 };

/** Sizes of a module and its static imports, recursively, by file. Dynamic imports do not count. */
function startOf(name: string, found = new Map<string, number>()): Map<string, number> {
  if (found.has(name)) return found;
  const file = path.join(ROOT, 'dist', name);
  found.set(name, statSync(file).size);
  const code = readFileSync(file, 'utf8');
  for (const [, imported = ''] of code.matchAll(/(?:from|import)\s*"(\.{1,2}\/[^"]+\.js)"/g)) {
    startOf(path.join(path.dirname(name), imported), found);
  }
  return found;
}

describe('the bundles of the editor side', () => {
  before(function () {
    this.timeout(120_000); // a build
    execFileSync(process.execPath, ['esbuild.mjs', 'extension'], { cwd: ROOT, stdio: 'inherit' });
  });

  for (const [name, budget] of Object.entries(BUDGETS)) {
    it(`${name} is at most ${budget} kB`, () => {
      const kilobytes = statSync(path.join(ROOT, 'dist', name)).size / 1000;
      assert.ok(kilobytes <= budget, `${name} has ${kilobytes} kB`);
    });
  }

  it('the inspector starts with at most 300 kB, without the graph layout', () => {
    const start = startOf('inspector.js');
    const kilobytes = [...start.values()].reduce((sum, size) => sum + size, 0) / 1000;
    assert.ok(kilobytes <= 300, `${[...start.keys()].join(', ')} have ${kilobytes} kB`);
    const layout = [...start.keys()].filter((name) =>
      readFileSync(path.join(ROOT, 'dist', name), 'utf8').includes('network-simplex'),
    );
    assert.deepEqual(layout, []);
  });
});

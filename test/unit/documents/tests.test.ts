import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { documentText, quoted, ROOT, tableBelow } from '../../support/documents';

const text = documentText('test/README.md');
const names = (header: string): string[] =>
  tableBelow(text, header).map(([cell]) => quoted(cell!)[0] ?? '');

describe('test/README.md', () => {
  it('lists every suite, and no other', () => {
    const args = ['--import', 'tsx', 'test/run.mjs', 'no-such-suite'];
    const { stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
    const suites = /unknown suite no-such-suite\. Known: ([a-z, ]+)/.exec(stderr)?.[1]?.split(', ');
    assert.deepEqual(names('| suite | what it runs | files |'), suites);
  });

  it('lists every benchmark, and no other', () => {
    const files = readdirSync(join(ROOT, 'test/bench')).filter((name) =>
      name.endsWith('.bench.ts'),
    );
    assert.deepEqual(
      names('| benchmark | what it measures |'),
      files.map((name) => name.replace('.bench.ts', '')).sort(),
    );
  });
});

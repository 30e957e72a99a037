import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LEFT_OUT, LONG, SHORT } from '../cluster/conformance-suites';

describe('the suites of one service that three nodes behind HAProxy pass as well', () => {
  it('are all that start a service or forks, or are left out for a reason', async () => {
    const folder = 'test/integration';
    const suites: string[] = [];
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.test.ts')) continue;
      const source = await readFile(join(folder, name), 'utf8');
      if (/start\w*Service\(|sandboxService\(|useForkAddress\(|ForgeSuite\.open\(/.test(source))
        suites.push(name.replace(/(\.long)?\.test\.ts$/, ''));
    }
    const known = [...SHORT, ...LONG, ...Object.values(LEFT_OUT).flat()];
    assert.deepEqual(known.sort(), suites.sort());
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';

const ROOT = path.resolve(__dirname, '../..');
const RULE = 'promises/handled-at-once';

describe('the rule for promises', function () {
  this.timeout(60_000);
  let faults: (body: string) => string[];
  before(async () => {
    const { promisesPlugin } = await import('../structure/promises.mjs');
    const linter = new Linter({ cwd: ROOT });
    const config: Linter.Config = {
      files: ['**/*.ts'],
      plugins: { promises: promisesPlugin },
      languageOptions: {
        parser: tseslint.parser,
        parserOptions: {
          projectService: { allowDefaultProject: ['*.ts'] },
          tsconfigRootDir: ROOT,
        },
      },
      rules: { [RULE]: 'error' },
    };
    faults = (body) => {
      const code = `declare const ask: () => Promise<number>;\n${body}\nexport {};`;
      return linter.verify(code, [config], 'some.ts').map(({ message }) => message);
    };
  });

  it('finds one that is used after something else was awaited', () => {
    const late = 'answer is first used after another await: it may be rejected before';
    assert.deepEqual(
      faults('async function f() { const answer = ask(); await ask(); return answer; }'),
      [late],
    );
    assert.deepEqual(
      faults('async function f(answer: Promise<number>) { await ask(); return answer; }'),
      [late],
    );
    assert.deepEqual(
      faults('async function f() { const answer = [ask()]; await ask(); await answer[0]; }'),
      [late],
    );
  });

  it('accepts one that is handled before, or with the other', () => {
    for (const body of [
      'async function f() { const answer = ask(); return answer; }',
      'async function f() { const answer = ask(); await Promise.all([answer, ask()]); }',
      'async function f() { const answer = await ask(); await ask(); return answer; }',
      'async function f() { await ask(); const answer = ask(); return answer; }',
      'async function f(answer: Promise<number>) { await answer; await ask(); await answer; }',
    ]) {
      assert.deepEqual(faults(body), [], body);
    }
  });
});

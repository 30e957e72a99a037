import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

interface Output {
  write: (text: string) => void;
  end: () => void;
}
interface Row {
  suite: string;
  passed: number;
  failed: number;
  skipped: number;
  slowestTests?: { name: string; milliseconds: number }[];
  failures?: { title: string; message: string }[];
}
interface Runner {
  Outputs: new (show: (text: string) => void) => { add: () => Output };
  runNode: (
    args: string[],
    write: (text: string) => void,
    env?: Record<string, string>,
  ) => Promise<{ code: number; left: number }>;
  slowestText: (rows: Row[], key: string) => string;
  failuresText: (rows: Row[]) => string;
  totalText: (rows: Row[]) => string;
}

describe('a run of the tests', () => {
  let runner: Runner;
  before(async () => {
    const load = async (name: string): Promise<object> =>
      (await import(pathToFileURL(path.resolve(__dirname, '../support/run', name)).href)) as object;
    const modules = await Promise.all(['outputs.mjs', 'node.mjs', 'report.mjs'].map(load));
    runner = Object.assign({}, ...modules) as Runner;
  });

  it('shows the outputs of suites beside each other whole, and in order', () => {
    let shown = '';
    const outputs = new runner.Outputs((text) => (shown += text));
    const [a, b, c] = [outputs.add(), outputs.add(), outputs.add()];
    b.write('b1 ');
    a.write('a1 ');
    c.write('c1 ');
    assert.equal(shown, 'a1 ');
    c.end();
    b.write('b2 ');
    a.end();
    assert.equal(shown, 'a1 b1 b2 ');
    b.write('b3 ');
    assert.equal(shown, 'a1 b1 b2 b3 ');
    b.end();
    assert.equal(shown, 'a1 b1 b2 b3 c1 ');
    const d = outputs.add();
    d.write('d1');
    assert.equal(shown, 'a1 b1 b2 b3 c1 d1');
  });

  it('takes the output and the exit code of a suite', async () => {
    let text = '';
    const script = 'console.log(process.env.NAME); console.error("☂"); process.exit(3)';
    const ended = await runner.runNode(['-e', script], (part) => (text += part), { NAME: 'x' });
    assert.deepEqual(ended, { code: 3, left: 0 });
    assert.deepEqual(text.trim().split('\n').sort(), ['x', '☂']);
  });

  it('counts a suite that a signal ended as failed', async () => {
    const script = 'process.kill(process.pid, "SIGKILL")';
    const ended = await runner.runNode(['-e', script], () => undefined);
    assert.deepEqual(ended, { code: 1, left: 0 });
  });

  it('ends and names the processes that a suite leaves', async function () {
    if (process.platform !== 'linux') this.skip();
    let text = '';
    const script = `const { spawn } = require('node:child_process');
      spawn('sleep', ['600'], { stdio: 'inherit' }).unref(); process.exit(0)`;
    const ended = await runner.runNode(['-e', script], (part) => (text += part));
    assert.deepEqual(ended, { code: 0, left: 1 });
    assert.equal(text, 'Left behind by it, and ended:\nsleep 600\n');
  });

  it('knows why a test failed that ran in another process', async () => {
    const directory = await makeTemporaryDirectory();
    for (const name of ['a', 'b']) {
      const test = `it('${name}', () => { throw new Error('no ${name}'); });`;
      await writeFile(path.join(directory, `${name}.cjs`), test);
    }
    const results = path.join(directory, 'results.json');
    const reporter = ['--reporter', './test/support/results-reporter.ts'];
    const files = path.join(directory, '*.cjs');
    await runner.runNode(
      ['node_modules/mocha/bin/mocha.js', ...reporter, '--parallel', '--jobs', '2', files],
      () => undefined,
      { MOCHA_RESULTS: results },
    );
    const { failures } = JSON.parse(await readFile(results, 'utf8')) as Row;
    const messages = failures?.map(({ message }) => message.split('\n')[0]).sort();
    assert.deepEqual(messages, ['Error: no a', 'Error: no b']);
    await removeDirectory(directory);
  });

  it('ends with what took longest, what failed, and the counts', () => {
    const rows: Row[] = [
      {
        ...{ suite: 'unit', passed: 3, failed: 0, skipped: 1 },
        slowestTests: [
          { name: 'a', milliseconds: 1_540 },
          { name: 'b', milliseconds: 20 },
        ],
      },
      {
        ...{ suite: 'ui', passed: 1, failed: 1, skipped: 0 },
        slowestTests: Array.from({ length: 10 }, (_, n) => ({
          name: `t${n}`,
          milliseconds: 12_000 - n,
        })),
        failures: [{ title: 'a window', message: 'Error: no' }],
      },
    ];
    const lines = runner.slowestText(rows, 'slowestTests').split('\n');
    assert.equal(lines.length, 10);
    assert.equal(lines[0], '   12.0 s  ui: t0');
    const unit = rows.slice(0, 1);
    assert.equal(
      runner.slowestText(unit, 'slowestTests'),
      '    1.5 s  unit: a\n    0.0 s  unit: b',
    );
    assert.equal(runner.failuresText(unit), '');
    assert.equal(runner.failuresText(rows), 'ui: a window\n    Error: no');
    assert.equal(runner.totalText(rows), '4 passed, 1 failed, 1 skipped');
    assert.equal(
      runner.totalText(rows.map((row) => ({ ...row, skipped: 0 }))),
      '4 passed, 1 failed',
    );
  });
});

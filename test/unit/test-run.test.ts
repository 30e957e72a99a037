import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { nearest } from '../../server/api/nearest';
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
  failures?: { title: string; message: string; file?: string }[];
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
  leftOutText: (suites?: { name: string; reason: string }[]) => string;
  readOptions: (
    args: string[],
    near: typeof nearest,
  ) => { names: string[]; isWhole: boolean; values: Record<string, unknown> };
  suiteEnvironment: (values: Record<string, unknown>) => Record<string, string>;
  suiteArguments: (name: string, options: { isWhole: boolean }) => string[];
}

const MODULES = ['left-out', 'node', 'options', 'outputs', 'report', 'suites'].map(
  (name) => `${name}.mjs`,
);

describe('a run of the tests', function () {
  this.timeout(60_000);
  let runner: Runner;
  before(async () => {
    const load = async (name: string): Promise<object> =>
      (await import(pathToFileURL(path.resolve(__dirname, '../support/run', name)).href)) as object;
    const modules = await Promise.all(MODULES.map(load));
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
        suite: 'unit',
        passed: 3,
        failed: 0,
        skipped: 1,
        slowestTests: [
          { name: 'a', milliseconds: 1_540 },
          { name: 'b', milliseconds: 20 },
        ],
      },
      {
        suite: 'ui',
        passed: 1,
        failed: 1,
        skipped: 0,
        slowestTests: Array.from({ length: 10 }, (_, n) => ({
          name: `t${n}`,
          milliseconds: 12_000 - n,
        })),
        failures: [{ title: "a user's window", message: 'Error: no', file: 'test/ui/a.test.ts' }],
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
    assert.equal(
      runner.failuresText(rows),
      "ui: a user's window\n    Error: no\n    Alone: npx mocha test/ui/a.test.ts --fgrep 'a user'\\''s window'",
    );
    assert.equal(runner.totalText(rows), '4 passed, 1 failed, 1 skipped');
    assert.equal(
      runner.totalText(rows.map((row) => ({ ...row, skipped: 0 }))),
      '4 passed, 1 failed',
    );
  });

  it('names the command that runs a failed hook, and the suite of the extension host', () => {
    const row = { suite: 'unit', passed: 0, failed: 1, skipped: 0 };
    const failure = { message: 'Error: no', file: 'test/unit/a.test.ts' };
    const hook = { ...failure, title: 'a part "before each" hook for "works"' };
    assert.equal(
      runner.failuresText([{ ...row, failures: [hook] }]).split('Alone: ')[1],
      "npx mocha test/unit/a.test.ts --fgrep 'a part'",
    );
    assert.equal(
      runner.failuresText([{ ...row, suite: 'vscode', failures: [hook] }]).split('Alone: ')[1],
      'npm test -- vscode',
    );
  });

  it('runs the quick files of all suites, or all files of those that are named', () => {
    const all = runner.readOptions([], nearest);
    assert.deepEqual([all.names.length, all.isWhole], [10, false]);
    assert.equal(runner.readOptions(['--all'], nearest).isWhole, true);
    const named = runner.readOptions(['fuzz', 'unit'], nearest);
    assert.deepEqual([named.names, named.isWhole], [['unit', 'fuzz'], true]);
    const files = (isWhole: boolean) => runner.suiteArguments('ui', { isWhole }).at(-1);
    assert.equal(files(false), 'test/ui/**/!(*.long).test.ts');
    assert.equal(files(true), 'test/ui/**/*.test.ts');
  });

  it('gives each test and hook five times what it has alone', async () => {
    const directory = await makeTemporaryDirectory();
    const file = path.join(directory, 'a.test.cjs');
    await writeFile(
      file,
      `describe('a', function () {
        before(function () { console.log('hook', this.timeout()); });
        it('by default', function () { console.log('test', this.timeout()); });
        it('asked for', function () { this.timeout(60_000); console.log('test', this.timeout()); });
        describe('b', function () {
          this.timeout(3_000);
          it('of a suite', function () { console.log('test', this.timeout()); });
        });
      });`,
    );
    const args = runner.suiteArguments('unit', { isWhole: false }).slice(0, -1);
    let text = '';
    const results = { MOCHA_RESULTS: path.join(directory, 'results.json') };
    await runner.runNode([...args, file], (part) => (text += part), results);
    assert.deepEqual(text.match(/(hook|test) \d+/g), [
      'hook 100000',
      'test 100000',
      'test 300000',
      'test 15000',
    ]);
    await removeDirectory(directory);
  });

  it('gives the folders of real blocks to the suite that reads them', () => {
    const args = ['fidelity', '--kona-blocks', 'kona', '--osaka-block=osaka'];
    const { names, values } = runner.readOptions(args, nearest);
    assert.deepEqual(names, ['fidelity']);
    assert.deepEqual(runner.suiteEnvironment(values), {
      FIDELITY_KONA_BLOCKS: 'kona',
      FIDELITY_OSAKA_BLOCK: 'osaka',
    });
  });

  it('refuses what it does not know, with the nearest name', () => {
    for (const [args, message] of [
      [['unti'], /^unknown suite unti\. Did you mean unit\? Known: unit, integration, /],
      [['--covrage'], /^unknown option --covrage\. Did you mean --coverage\? Known: --all, /],
      [['zzz'], /^unknown suite zzz\. Known: /],
      [['--seed'], /^option --seed needs a value$/],
      [['--all=3'], /^option --all takes no value$/],
      [['--list'], /^option --list needs --changed$/],
      [['--changed', 'ui'], /^option --changed chooses the tests itself; leave out ui$/],
    ] as const) {
      assert.throws(() => runner.readOptions([...args], nearest), { name: 'UsageError', message });
    }
  });

  for (const [args, message] of [
    [['repeat.mjs', '--tims', '3'], 'repeat: unknown option --tims. Did you mean --times?'],
    [['repeat.mjs', 'untit'], 'repeat: unknown suite untit. Did you mean unit?'],
    [['repeat.mjs', '--busy', '-1'], 'repeat: --busy is "-1"; accepted: a whole number'],
    [['bench/run.mjs', 'strt'], 'bench: unknown benchmark strt. Did you mean start?'],
  ] as const) {
    it(`is refused in one line: ${args.join(' ')}`, async () => {
      let text = '';
      const [file, ...rest] = args;
      const program = ['--import', 'tsx', `test/${file}`, ...rest];
      const { code } = await runner.runNode(program, (part) => (text += part));
      assert.equal(code, 2, text);
      const [line = '', ...more] = text.trim().split('\n');
      assert.equal(line.replace(/^npm run (test:)?/, '').slice(0, message.length), message);
      assert.deepEqual(more, []);
    });
  }

  it('names the suites that it leaves out', () => {
    const suites = [{ name: 'ui', reason: 'no host' }];
    assert.match(runner.leftOutText(suites), /^suite ui: no host/);
  });
});

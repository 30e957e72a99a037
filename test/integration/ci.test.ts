import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { documentText } from '../support/documents';
import { useCommandLine } from './cli-suite';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const word = (hex: string): string => hex.padStart(64, '0');
/** `transfer` of more than there is. */
const TOO_MUCH = `0xa9059cbb${word('dead')}${word('ff'.repeat(20))}`;

/** Sends a transaction that fails to the fork of its job. */
const JOB = `
const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction' };
body.params = [{ from: '${ALICE}', to: '${HBR}', data: '${TOO_MUCH}', gas: '0x30d40' }];
const init = { method: 'POST', body: JSON.stringify(body) };
fetch(process.env.JOB_URL, { ...init, headers: { 'content-type': 'application/json' } })
  .then((answer) => answer.json())
  .then(({ result }) => { console.log(result); process.exit(7); });`;

interface Difference {
  what: string;
  expected: string[];
  found: string[];
}

describe('jobs of continuous integration', function () {
  this.timeout(120_000);
  const suite = useCommandLine();
  let folder: string;

  before(async () => {
    folder = await makeTemporaryDirectory();
  });
  after(() => removeDirectory(folder));

  it('ci run reports a failed transaction on the fork of the job, and deletes the fork', async () => {
    const artifacts = join(folder, 'reports');
    const page = join(folder, 'page.md');
    await writeFile(page, 'before\n');
    const fork = ['--fork', 'JOB_URL=sandbox@10', '--artifacts', artifacts];
    const words = ['ci', 'run', ...fork, '--', process.execPath, '-e', JOB];
    const { code, stdout, stderr } = await suite.cli.run(words, {
      env: { GITHUB_STEP_SUMMARY: page },
    });
    assert.equal(code, 7, stderr);
    const hash = stdout.trim();
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    const name = `JOB_URL-${hash.slice(0, 18)}`;
    const files = (await readdir(artifacts)).sort();
    assert.deepEqual(files, [`${name}.forklens`, `${name}.html`, `${name}.md`, 'summary.md']);
    const summary = await readFile(join(artifacts, 'summary.md'), 'utf8');
    assert.match(summary, /^## Forklens: the program ended with exit code 7$/m);
    assert.match(summary, /^1 transaction failed on the forks of the job\.$/m);
    assert.match(summary, /^### Reverted: transfer$/m);
    assert.ok(summary.includes(hash));
    assert.equal(await readFile(page, 'utf8'), `before\n${summary}`);
    assert.match(await readFile(join(artifacts, `${name}.html`), 'utf8'), /^<!DOCTYPE html>/i);
    assert.deepEqual(await suite.cli.json('fork', 'list'), []);
    // The case outlives its fork.
    const opened = await suite.cli.json<{ chain: string; ofChain: string }>(
      'open',
      join(artifacts, `${name}.forklens`),
    );
    assert.equal(opened.ofChain, 'sandbox');
    const tree = await suite.cli.text('tx', opened.chain, hash);
    assert.match(tree, /^✗ Reverted/);
    assert.match(summary, new RegExp(`Reports: .*${name}\\.forklens`));
  });

  it('ci run reports what failed and deletes its forks when it is cancelled', async () => {
    const waiting = JOB.replace('process.exit(7)', 'setInterval(() => {}, 1000)');
    const artifacts = join(folder, 'cancelled');
    const fork = ['--fork', 'JOB_URL=sandbox@10', '--artifacts', artifacts];
    const words = ['ci', 'run', ...fork, '--', process.execPath, '-e', waiting];
    const { child, exited } = suite.cli.spawn(words);
    child.stdout!.once('data', () => child.kill('SIGTERM'));
    assert.deepEqual(await exited, { code: 130, signal: null });
    assert.deepEqual(await suite.cli.json('fork', 'list'), []);
    const summary = await readFile(join(artifacts, 'summary.md'), 'utf8');
    assert.match(summary, /^## Forklens: the program was cancelled$/m);
    assert.match(summary, /^1 transaction failed on the forks of the job\.$/m);
  });

  it('ci run reports what failed when its program is killed', async () => {
    const artifacts = join(folder, 'killed');
    const fork = ['--fork', 'JOB_URL=sandbox@10', '--artifacts', artifacts];
    const killed = JOB.replace('process.exit(7)', 'process.kill(process.pid, "SIGKILL")');
    const words = ['ci', 'run', ...fork, '--', process.execPath, '-e', killed];
    const { code, stderr } = await suite.cli.run(words);
    assert.equal(code, 137, stderr);
    const files = await readdir(artifacts);
    assert.deepEqual(files.map((name) => name.replace(/^JOB_URL-0x[0-9a-f]{16}/, '')).sort(), [
      '.forklens',
      '.html',
      '.md',
      'summary.md',
    ]);
    const summary = await readFile(join(artifacts, 'summary.md'), 'utf8');
    assert.match(summary, /^## Forklens: the program ended with exit code 137$/m);
  });

  it('ci run names what it does not accept', async () => {
    for (const [options, message] of [
      [['--fork', 'sandbox'], /--fork is "sandbox"; accepted: NAME=chain/],
      [['--fork', 'A=nowhere'], /--fork is "nowhere"; accepted: a chain: .*sandbox/],
      [['--fork', 'A=sandbox', '--fork', 'A=sandbox'], /--fork names A twice/],
      [['--frozen'], /--frozen is given without --lock/],
    ] as const) {
      const { code, stderr } = await suite.cli.run(['ci', 'run', ...options, '--', 'true']);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  it('ci compare writes what the baseline of the documentation expects, and finds it again', async () => {
    const file = join(folder, 'baseline.json');
    const [, example = ''] = /^```json\n([^]*?)^```/m.exec(documentText('server/CI.md')) ?? [];
    await writeFile(file, example);
    const first = await suite.cli.run(['ci', 'compare', file]);
    assert.equal(first.code, 1, first.stderr);
    assert.match(first.stdout, /^✗ a swap: nothing is expected yet; --update writes it$/m);
    assert.match(await suite.cli.text('ci', 'compare', file, '--update'), /a swap: recorded/);
    assert.equal(await suite.cli.text('ci', 'compare', file), '✓ a swap\n✓ a transfer');
  });

  it('ci compare prints what differs, and accepts gas within the tolerance', async () => {
    const file = join(folder, 'baseline.json');
    const text = await readFile(file, 'utf8');
    const baseline = JSON.parse(text) as {
      gasTolerance: number;
      entries: { expected: { gasUsed: number; events?: string[]; balances: string[] } }[];
    };
    const [swap, transfer] = baseline.entries.map(({ expected }) => expected) as [
      (typeof baseline.entries)[number]['expected'],
      (typeof baseline.entries)[number]['expected'],
    ];
    const gas = transfer.gasUsed;
    swap.gasUsed = Math.round(swap.gasUsed * 1.005);
    delete swap.events;
    const [event = ''] = transfer.events!;
    transfer.events = [event.replace('value: 1)', 'value: 2)')];
    transfer.balances.pop();
    transfer.gasUsed = gas * 2;
    await writeFile(file, JSON.stringify(baseline));
    const { code, stdout } = await suite.cli.run(['ci', 'compare', file, '--json']);
    assert.equal(code, 1);
    const { entries } = JSON.parse(stdout) as {
      entries: { name: string; equal: boolean; differences: Difference[] }[];
    };
    assert.deepEqual(
      entries.map(({ name, equal }) => [name, equal]),
      [
        ['a swap', true],
        ['a transfer', false],
      ],
    );
    assert.deepEqual(
      entries[1]!.differences.map(({ what, expected, found }) => [what, expected, found]),
      [
        ['events', transfer.events, [event]],
        ['balances', [], [`${ALICE} HBR ${HBR} -0.000000000000000001`]],
        ['gas used', [String(gas * 2)], [String(gas)]],
      ],
    );
    const printed = await suite.cli.run(['ci', 'compare', file]);
    assert.ok(printed.stdout.includes(`  events\n  - ${transfer.events[0]}\n  + ${event}\n`));
    await suite.cli.text('ci', 'compare', file, '--update');
    assert.equal(await suite.cli.text('ci', 'compare', file), '✓ a swap\n✓ a transfer');
    assert.ok(
      !(
        'events' in
        (JSON.parse(await readFile(file, 'utf8')) as typeof baseline).entries[0]!.expected
      ),
    );
  });

  it('ci compare names the field of a baseline that it does not accept', async () => {
    const file = join(folder, 'wrong.json');
    for (const [text, message] of [
      ['{', /wrong\.json cannot be read: not JSON/],
      ['{"forklensBaseline":1,"entries":[]}', /wrong\.json: entries: /],
      [
        '{"forklensBaseline":1,"entries":[{"name":"a","chain":"b"}]}',
        /entries\[0\].*one of "transaction"/,
      ],
      [
        '{"forklensBaseline":1,"entries":[{"name":"a","chain":"b","transaction":"0x1"}]}',
        /entries\[0\]\.transaction: a transaction hash/,
      ],
    ] as const) {
      await writeFile(file, text);
      const { code, stderr } = await suite.cli.run(['ci', 'compare', file]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });
});

import assert from 'node:assert/strict';
import { cp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HardhatProject, type HardhatRun } from '../../extension/hardhat-tests/hardhat-project';
import { RecordingProxy } from '../../extension/hardhat-tests/recording-proxy';
import { keyOf, type ListedTest } from '../../extension/hardhat-tests/report';
import { readSent, sentDuring, type SentByTest } from '../../extension/hardhat-tests/sent-failures';
import type { Fork } from '../../server/api/fork';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '../..');
const HOOK = join(ROOT, 'dist/hardhat-hook.js');
const NEVER = new AbortController().signal;

/** A copy of the project, with the packages of this repository. */
async function writeProject(folder: string): Promise<void> {
  await cp(join(ROOT, 'test/fixtures/hardhat-tests'), folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

describe('tests of a Hardhat 2 project', function () {
  this.timeout(120_000);
  let home: string;
  let folder: string;
  let project: HardhatProject;
  let tests: ListedTest[];
  before(async () => {
    home = await realpath(await makeTemporaryDirectory());
    folder = join(home, 'project');
    await writeProject(folder);
    project = new HardhatProject(folder, HOOK);
    ({ tests } = await project.list(NEVER));
  });
  after(() => removeDirectory(home));

  const named = (...titles: string[]): ListedTest[] =>
    tests.filter(({ path }) => titles.includes(path.at(-1) ?? ''));
  const run = (chosen: ListedTest[], url?: string): Promise<HardhatRun> =>
    project.run(chosen, tests, url, NEVER);
  const results = ({ outcomes }: HardhatRun) =>
    outcomes.map(({ path, nth, status, message, line }) => [
      path.join(' > '),
      nth,
      status,
      message?.split('\n')[0],
      line,
    ]);

  it('are listed with their lines, without being executed', () => {
    assert.deepEqual(
      tests.map(({ file, path, line, nth, runner }) => [
        file.slice(folder.length),
        path.join(' > '),
        line,
        nth,
        runner,
      ]),
      [
        ['has a name twice', 41, 0],
        ['has a name twice', 42, 1],
        ['a bank > takes a deposit', 11, 0],
        ['a bank > counts to 1', 30, 0],
        ['a bank > counts to 2', 30, 0],
        ['a bank > a withdrawal > of too much', 17, 0],
        ['a bank > a withdrawal > of too much, with an estimate', 21, 0],
        ['a bank > a withdrawal > that is left out', 24, 0],
        ['a broken suite > is not reached', 38, 0],
      ].map(([name, line, nth]) => ['/test/bank.cjs', name, line, nth, 'mocha']),
    );
  });

  it('run on the network of the project, with message and line', async () => {
    const whole = await run(tests);
    const reverted =
      "VM Exception while processing transaction: reverted with reason string 'too large'";
    assert.deepEqual(results(whole), [
      ['has a name twice', 0, 'passed', undefined, undefined],
      ['has a name twice', 1, 'failed', 'the second one', 42],
      ['a bank > takes a deposit', 0, 'passed', undefined, undefined],
      ['a bank > counts to 1', 0, 'passed', undefined, undefined],
      ['a bank > counts to 2', 0, 'failed', 'Expected values to be strictly equal:', 30],
      ['a bank > a withdrawal > of too much', 0, 'failed', reverted, 19],
      ['a bank > a withdrawal > of too much, with an estimate', 0, 'failed', reverted, 22],
      ['a bank > a withdrawal > that is left out', 0, 'skipped', undefined, undefined],
    ]);
    assert.deepEqual(
      whole.broken.map(({ path, message }) => [path, message]),
      [[['a broken suite'], '"before all" hook for "is not reached": no set-up']],
    );
    assert.match(whole.printed, /deposit 5[^]*5 failing/);
  });

  it('run by their names where some of a file are chosen', async () => {
    const some = await run(named('of too much', 'counts to 1'));
    assert.deepEqual(
      results(some).map(([name, , status]) => [name, status]),
      [
        ['a bank > counts to 1', 'passed'],
        ['a bank > a withdrawal > of too much', 'failed'],
      ],
    );
  });

  describe('on a fork', () => {
    let service: TestService;
    let fork: Fork;
    let proxy: RecordingProxy;
    before(async () => {
      service = await startService({ args: ['--sandbox'] });
      fork = await createFork(service, { chainId: 31_337 });
      proxy = await RecordingProxy.start(fork.rpc);
    });
    after(async () => {
      proxy.close();
      await service.stop();
    });

    /** What a test of this name sent. */
    const sentBy = async (title: string, { outcomes }: HardhatRun): Promise<SentByTest> => {
      const [test] = named(title);
      const outcome = outcomes.find((one) => keyOf(one) === keyOf(test!))!;
      return readSent(fork, sentDuring(outcome, proxy.sent), NEVER);
    };

    it('name the transaction that failed, and the call that was refused', async () => {
      const whole = await run(
        named('takes a deposit', 'of too much', 'of too much, with an estimate'),
        proxy.url,
      );
      const passed = await sentBy('takes a deposit', whole);
      assert.deepEqual(
        passed.transactions.map(({ isFailed }) => isFailed),
        [false, false],
      );
      assert.equal(passed.failure, undefined);

      const mined = await sentBy('of too much', whole);
      assert.deepEqual(
        mined.transactions.map(({ isFailed }) => isFailed),
        [false, false, true],
      );
      const { failure } = mined;
      assert.ok(failure && 'hash' in failure);
      const receipt = await call<{ status: string }>(
        fork.rpc,
        'eth_getTransactionReceipt',
        failure.hash,
      );
      assert.equal(receipt.status, '0x0');

      const estimated = await sentBy('of too much, with an estimate', whole);
      assert.deepEqual(
        estimated.transactions.map(({ isFailed }) => isFailed),
        [false],
      );
      const refused = estimated.failure;
      assert.ok(refused && 'call' in refused);
      assert.equal(refused.call.data, `0x2e1a7d4d${'7'.padStart(64, '0')}`);
      assert.match(refused.message, /too large/);
      assert.equal(refused.block, Number(await call(fork.rpc, 'eth_blockNumber')));
    });

    it('say so where what they sent is no longer there', async () => {
      const snapshot = await call(fork.rpc, 'evm_snapshot');
      const whole = await run(named('of too much'), proxy.url);
      await call(fork.rpc, 'evm_revert', snapshot);
      const { gone, failure, transactions } = await sentBy('of too much', whole);
      assert.deepEqual([gone, failure, transactions], [3, undefined, []]);
    });

    it('keep its address out of what is shown', async () => {
      const { printed } = await run(named('counts to 2'), proxy.url);
      assert.ok(!printed.includes(fork.rpc), printed);
    });
  });

  it('that run in parallel say nothing of the time', async () => {
    const place = join(home, 'parallel');
    await writeProject(place);
    const config = 'module.exports = { mocha: { parallel: true } };';
    await writeFile(join(place, 'hardhat.config.cjs'), config);
    await rm(join(place, 'contracts'), { recursive: true });
    await writeFile(
      join(place, 'test/bank.cjs'),
      "it('a', () => {}); it('b', () => { throw 1; });",
    );
    const parallel = new HardhatProject(place, HOOK);
    const { tests: listed } = await parallel.list(NEVER);
    const { outcomes } = await parallel.run(listed, listed, undefined, NEVER);
    assert.deepEqual(
      outcomes.map(({ path, status, began }) => [path[0], status, began]),
      [
        ['a', 'passed', undefined],
        ['b', 'failed', undefined],
      ],
    );
    assert.deepEqual(
      listed.map(({ path }) => path[0]),
      ['a', 'b'],
    );
  });

  describe('that cannot run', () => {
    const other = async (name: string, files: Record<string, string>): Promise<HardhatProject> => {
      const place = join(home, name);
      await writeProject(place);
      for (const [file, text] of Object.entries(files)) await writeFile(join(place, file), text);
      return new HardhatProject(place, HOOK);
    };

    it('say what the configuration throws', async () => {
      const broken = await other('throws', { 'hardhat.config.cjs': "throw new Error('no key');" });
      await assert.rejects(broken.list(NEVER), /Error: no key/);
    });

    it('are none where there is none', async () => {
      const empty = await other('empty', { 'test/bank.cjs': '' });
      assert.deepEqual(await empty.list(NEVER), { tests: [], problem: undefined });
      const whole = await empty.run([], [], undefined, NEVER);
      assert.deepEqual([whole.outcomes, whole.broken], [[], []]);
    });

    it('end when they are stopped', async () => {
      const endless = await other('endless', {
        'test/bank.cjs': `const { writeFileSync } = require('node:fs');
it('never ends', () => {
  writeFileSync('pid', String(process.pid));
  return new Promise(() => setInterval(() => {}, 1000));
}).timeout(0);`,
      });
      const { tests: listed } = await endless.list(NEVER);
      const stop = new AbortController();
      const running = endless.run(listed, listed, undefined, stop.signal);
      const pid = await eventually(async () => {
        const text = await readFile(join(endless.folder, 'pid'), 'utf8');
        assert.notEqual(text, '');
        return Number(text);
      });
      stop.abort(new Error('stopped'));
      await assert.rejects(running, /stopped/);
      await eventually(() => {
        assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
      });
    });

    it('say how to get Hardhat and Node.js', async () => {
      const none = new HardhatProject(home, HOOK, dirname(process.execPath));
      await assert.rejects(none.list(NEVER), {
        message: `Hardhat is not in the node_modules of ${home}: run npm install there.`,
      });
      const noNode = new HardhatProject(folder, HOOK, '/nowhere');
      await assert.rejects(noNode.list(NEVER), /^Error: Node.js is not on the PATH/);
    });
  });
});

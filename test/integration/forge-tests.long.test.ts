import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedCalls, Variables } from '../../server/api/recording';
import { runForge, type ListedTest } from '../../server/client/forge';
import { DebugSession } from '../support/debug-session';
import { binary, SOLC } from '../support/foundry';
import type { RecordedSession } from '../support/recordings';
import { ForgeSuite, variablesAt } from './forge-suite';

const TESTS = {
  fails: { file: 'test/Bank.t.sol', contract: 'BankTest', name: 'test_fails' },
  fuzz: { file: 'test/Bank.t.sol', contract: 'BankTest', name: 'testFuzz_withdraw' },
  calls: { file: 'test/Calls.t.sol', contract: 'CallsTest', name: 'test_calls' },
  invariant: { file: 'test/Calls.t.sol', contract: 'CounterTest', name: 'invariant_small' },
} satisfies Record<string, ListedTest>;

describe('tests that forge executed, in the debugger', function () {
  this.timeout(120_000);
  let suite: ForgeSuite;
  before(async () => {
    suite = await ForgeSuite.open();
  });
  after(() => suite.close());

  const debug = (test: ListedTest): Promise<RecordedSession> => suite.debug(test);
  const record = (body: object): ReturnType<ForgeSuite['record']> => suite.record(body);

  describe('a test that fails', () => {
    let session: RecordedSession;
    before(async () => {
      session = await debug(TESTS.fails);
    });

    /** The next step of a line of the tests, from the beginning of the test. */
    const at = async (line: number, direction = 'forwards', from?: number): Promise<number> => {
      const { contracts, entry } = session.recording;
      const file = contracts[1]!.files.find((one) => one.endsWith('Bank.t.sol'))!;
      const { step, reason } = await session.find(from ?? entry - 1, {
        mode: 'continue',
        direction,
        lines: [{ id: 1, file, line }],
      });
      assert.equal(reason, 'line');
      return step;
    };

    it('equals forge in each step, and says why it failed', () => {
      const { status, failure, verification, contracts } = session.recording;
      assert.deepEqual(verification, { level: 'call-trace' });
      assert.equal(status, false);
      assert.equal(failure, 'CheatcodeError(message: assertion failed: 99 != 98)');
      assert.deepEqual(
        contracts.map(({ name, isCreation, origin, hasLocals }) => [
          name,
          isCreation,
          origin,
          hasLocals,
        ]),
        [
          ['forge', false, 'workspace', true],
          ['BankTest', true, 'workspace', true],
          ['BankTest', false, 'workspace', true],
          ['Bank', true, 'workspace', true],
          ['Bank', false, 'workspace', true],
          ['Bank', true, 'workspace', true],
        ],
      );
    });

    it('has local variables and state, which setUp left', async () => {
      const start = await at(28);
      assert.deepEqual(await variablesAt(session, start, 'state'), [
        'bank = 0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f',
        'alice = 0x00000000000000000000000000000000000a11ce',
        'seen = 7',
      ]);
      const end = await at(42);
      const locals = await variablesAt(session, end, 'locals');
      assert.ok(locals.includes('amount = 30'), locals.join());
      assert.ok(locals.includes('time = 12345'), locals.join());
      assert.ok(locals.includes('mocked = 99'), locals.join());
      const state = await variablesAt(session, end, 'state');
      assert.ok(state.includes('seen = 12345'), state.join());
    });

    it('names cheatcodes as calls, with their arguments', async () => {
      const { calls } = await session.get<RecordedCalls>('/calls');
      const named = calls
        .filter(({ contract, kind }) => kind === 'external' && contract === null)
        .map(({ function: name, arguments: args = [] }) =>
          `${name}(${args.map(({ value }) => value).join()})`.slice(0, 60),
        );
      assert.deepEqual(named.slice(0, 4), [
        'deal(0x00000000000000000000000000000000000a11ce,100000000000',
        'warp(12345)',
        'startPrank(0x00000000000000000000000000000000000a11ce)',
        'stopPrank()',
      ]);
      assert.equal(named.at(-1), 'assertEq(99,98)');
    });

    it('is stepped back from its end to its beginning, over the same places', async () => {
      const forwards = await session.walk(session.recording.entry, { mode: 'step', depth: 'over' });
      assert.equal(await session.stackAt(forwards.at(-1)!), '5 forge.');
      const backwards = await session.walk(forwards.at(-2)!, {
        mode: 'step',
        depth: 'over',
        direction: 'backwards',
      });
      const reached = backwards.reverse();
      const test = reached.slice(reached.indexOf(forwards[1]!));
      assert.deepEqual(test, forwards.slice(1, -1));
    });

    it('is stepped back into setUp and the constructor, which are before it', async () => {
      const { entry } = session.recording;
      assert.equal(await session.stackAt(entry), '28 BankTest.test_fails < 5 forge.');
      const caller = await session.find(entry, { direction: 'backwards', depth: 'out' });
      assert.equal(await session.stackAt(caller.step), '5 forge.');
      const setUp = await session.find(caller.step, { direction: 'backwards', depth: 'over' });
      assert.equal(await session.stackAt(setUp.step), '4 forge.');
      const { content } = await session.get<{ content: string }>(
        `/contract/0/file?file=${encodeURIComponent('forge/BankTest.test_fails')}`,
      );
      assert.equal(
        content,
        [
          '// What forge executed for BankTest.test_fails, in this order.',
          'function run() {',
          '    new BankTest();',
          '    BankTest.setUp();',
          '    BankTest.test_fails();',
          '}',
          '',
        ].join('\n'),
      );
      const written = await at(16, 'backwards');
      assert.equal(await session.stackAt(written), '16 BankTest.setUp < 4 forge.');
      const state = await variablesAt(session, written, 'state');
      assert.ok(state.includes('seen = 0'), state.join());
    });

    it('finds who wrote a variable in setUp', async () => {
      const start = await at(28);
      const { variables } = await session.get<Variables>(`/step/${start}/variables?scope=state`);
      const { address, slot } = variables.find(({ name }) => name === 'seen')!;
      const { step, reason } = await session.find(start, {
        direction: 'backwards',
        mode: 'continue',
        slots: [{ id: 1, address, slot, access: 'write' }],
      });
      assert.equal(reason, 'data');
      assert.equal((await session.step(step)).place?.startLine, 16);
    });

    it('finds who wrote a variable', async () => {
      const end = await at(42);
      const { variables } = await session.get<Variables>(`/step/${end}/variables?scope=state`);
      const { address, slot } = variables.find(({ name }) => name === 'seen')!;
      const { step, reason } = await session.find(end, {
        direction: 'backwards',
        mode: 'continue',
        slots: [{ id: 1, address, slot, access: 'write' }],
      });
      assert.equal(reason, 'data');
      assert.equal((await session.step(step)).place?.startLine, 34);
    });
  });

  it('opens in the debugger at its failure, and steps back', async () => {
    const { recording } = await debug(TESTS.fails);
    const { chain, transaction: hash } = recording;
    const session = await DebugSession.open(suite.service);
    const line = async (): Promise<number | undefined> => {
      const { body } = await session.stackTraceRequest({ threadId: 1, levels: 1 });
      return body.stackFrames[0]?.line;
    };
    const { body } = await session.begin({ chain, hash, stopAt: 'failure' });
    assert.equal(body.text, 'CheatcodeError(message: assertion failed: 99 != 98)');
    assert.equal(await line(), 42);
    const stopped = session.nextStop();
    await session.ask('stepBack', { threadId: 1 });
    await stopped;
    assert.ok(Number(await line()) <= 42);
    await session.close();
  });

  it('has the counterexample of a fuzz test', async () => {
    const session = await debug(TESTS.fuzz);
    assert.equal(session.recording.failure, 'too large');
    const { calls } = await session.get<RecordedCalls>('/calls');
    const test = calls.find(({ function: name }) => name === 'testFuzz_withdraw');
    const [{ name, value } = { name: '', value: '' }] = test?.arguments ?? [];
    assert.equal(name, 'amount');
    assert.ok(Number(value) >= 45 && Number(value) <= 50, value);
    assert.deepEqual(session.recording.verification, { level: 'call-trace' });
  });

  it('has the check of an invariant on the state that its sequence left', async () => {
    const session = await debug(TESTS.invariant);
    assert.equal(session.recording.failure, 'not small');
    assert.deepEqual(session.recording.verification, { level: 'call-trace' });
  });

  it('executes precompiled contracts, libraries, proxies and failing calls as forge did', async () => {
    const session = await debug(TESTS.calls);
    assert.equal(session.recording.failure, 'end');
    assert.deepEqual(session.recording.verification, { level: 'call-trace' });
  });

  describe('refuses', () => {
    it('a file that is not there, and one that is not an absolute path', async () => {
      const missing = join(suite.home, 'missing.json');
      const { message } = await record({ file: missing });
      assert.equal(message, `file is "${missing}"; accepted: a file that exists`);
      assert.match((await record({ file: 'out.json' })).message, /the absolute path of a file/);
    });

    it('another form, with the place that is different', async () => {
      const file = join(suite.home, 'other.json');
      await writeFile(file, '{"a": {"test_results": {"t()": {"status": "Failure"}}}}');
      assert.match(
        (await record({ file })).message,
        /not the output of forge test --json -vvvvv in a known form \(forge 1.5 was tried\): at a\.test_results\.t\(\)/,
      );
      await writeFile(file, 'No tests found');
      assert.match((await record({ file })).message, /it is not JSON/);
      await writeFile(file, '{"a": {"test_results": {');
      assert.match((await record({ file })).message, /it ends in the middle/);
    });

    it('a file of 10 GB, before it is read', async () => {
      const file = join(suite.home, 'large.json');
      await writeFile(file, '');
      await truncate(file, 10 * 1024 ** 3);
      assert.match((await record({ file })).message, /has more than 4 GiB/);
    });

    it('a test that is not in the file, with those that are', async () => {
      const file = join(suite.home, 'test_fails.json');
      const { message } = await record({ file, test: 'BankTest.test_other' });
      assert.equal(message, 'test is "BankTest.test_other"; accepted: BankTest.test_fails');
    });
  });

  it('ends forge where a test never ends', async () => {
    const signal = AbortSignal.timeout(3_000);
    const test = { file: 'test/Calls.t.sol', contract: 'EndlessTest', name: 'test_never_ends' };
    const args = ['test', '--json', '--match-contract', test.contract, '--use', SOLC];
    const env = { HOME: suite.home, FOUNDRY_GAS_LIMIT: '18446744073709551615' };
    const run = { forge: binary('forge'), folder: suite.project, args, env, signal };
    await assert.rejects(runForge(run, join(suite.home, 'endless.json')), { name: 'TimeoutError' });
  });

  it('says how to get forge where it is not there', async () => {
    const run = { forge: join(suite.home, 'no-forge'), folder: suite.project, args: ['test'] };
    await assert.rejects(
      runForge(run, join(suite.home, 'none.json')),
      /cannot be started: install Foundry/,
    );
  });
});

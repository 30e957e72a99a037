import assert from 'node:assert/strict';
import { assignArguments } from '../../../server/cli/program/assign-arguments';
import { failureOf } from '../../../server/cli/program/exit-codes';
import { buildProgram, type Call } from '../../../server/cli/program/build-program';
import { readInput, readOptions } from '../../../server/cli/program/read-input';
import { ApiError } from '../../../server/api/errors';
import { COMMANDS } from '../../../server/cli/command-specs/commands';
import { GLOBAL_OPTIONS } from '../../../server/cli/command-specs/global-options';
import { choice, url, whole } from '../../../server/cli/command-specs/kinds';
import { encodeCall, weiOf } from '../../../server/cli/analysis/encode-call';

const HASH = `0x${'ab'.repeat(32)}`;
const OTHER = `0x${'cd'.repeat(32)}`;
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';

describe('arguments of the command line', () => {
  it('are assigned to the required ones first, wherever the optional ones are', () => {
    const transaction = COMMANDS['tx analyze'].arguments;
    assert.deepEqual(assignArguments(transaction, [HASH]), { chain: [], hash: [HASH] });
    assert.deepEqual(assignArguments(transaction, ['eth', HASH]), { chain: ['eth'], hash: [HASH] });
    const compared = COMMANDS.compare.arguments;
    assert.deepEqual(assignArguments(compared, ['eth', HASH, OTHER]), {
      chain: ['eth'],
      hash: [HASH],
      otherChain: [],
      otherHash: [OTHER],
    });
    const call = COMMANDS.simulate.arguments;
    assert.deepEqual(assignArguments(call, ['eth', BOB, 'f(uint256)', '1', '2']), {
      chain: ['eth'],
      to: [BOB],
      signature: ['f(uint256)'],
      args: ['1', '2'],
    });
  });

  it('are rejected if words are missing or superfluous', () => {
    const read = (...words: string[]) => readInput(COMMANDS['tx analyze'], words, {}, {});
    assert.throws(() => read(), {
      name: 'UsageError',
      message: /^<hash> is missing; accepted: a t/,
    });
    assert.throws(() => read('a', 'b', 'c'), {
      message: '"c" is one argument too many; accepted: [chain] <hash>',
    });
  });

  it('are parsed, with defaults for missing ones', () => {
    assert.deepEqual(readInput(COMMANDS['tx analyze'], [HASH], { rows: ['1_000'] }, {}), {
      chain: undefined,
      hash: HASH,
      rows: 1000,
      proof: undefined,
    });
    assert.deepEqual(readInput(COMMANDS['fork mine'], ['f'], {}, {}), { fork: 'f', blocks: 1 });
  });
});

describe('options of the command line', () => {
  it('name the lockfile alike for every command that has one', async () => {
    const calls: Call[] = [];
    const words = ['--', 'forge', 'test'];
    for (const [name, ...after] of [
      ['lock', 'record', ...words],
      ['lock', 'run', ...words],
      ['lock', 'update', ...words],
      ['lock', 'show'],
      ['ci', 'run', ...words],
    ]) {
      const program = buildProgram(
        '1',
        (call) => Promise.resolve(void calls.push(call)),
        (text) => assert.fail(text),
      );
      const [command = '', ...rest] = after;
      await program.parseAsync([name!, command, '-l', 'a.lock', ...rest], { from: 'user' });
      await program.parseAsync([name!, command, '--lock', 'a.lock', ...rest], { from: 'user' });
    }
    assert.equal(calls.length, 10);
    for (const { options } of calls) assert.deepEqual(Object.values(options), [['a.lock']]);
  });

  const read = (given: Record<string, string[]>, environment: Record<string, string> = {}) =>
    readOptions(GLOBAL_OPTIONS, given, environment);

  it('take precedence over their environment variables, of which empty ones are ignored', () => {
    const environment = {
      FORKLENS_URL: 'http://b',
      FORKLENS_DATA_DIR: '',
      FORKLENS_SANDBOX: 'true',
    };
    const { url: named, dataDir, sandbox } = read({ url: ['http://a/'] }, environment);
    assert.deepEqual([named, dataDir, sandbox], ['http://a', undefined, true]);
    assert.equal(read({}, environment).url, 'http://b');
    assert.equal(read({}, { FORKLENS_SANDBOX: 'false' }).sandbox, false);
  });

  it('are named in errors, or their variable is', () => {
    assert.throws(() => read({ url: ['ftp://a'] }), {
      message: '--url is "ftp://a"; accepted: an http:// or https:// URL without query',
    });
    assert.throws(() => read({}, { FORKLENS_URL: 'x' }), { message: /^FORKLENS_URL is "x"; / });
  });

  it('accept numbers in range, names in upper and lower case, and URLs without query', () => {
    assert.deepEqual(['7', '10', '0', '11', '1.5', '-1', '1e1', ''].map(whole(1, 10).parse), [
      7,
      10,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(choice('csv', 'json').parse(' CSV '), 'csv');
    assert.equal(url.parse('http://a/?key=1'), undefined);
  });
});

describe('a call of the command line', () => {
  it('is encoded by its signature, with or without result types', () => {
    const data = encodeCall('transfer(address,uint256)', [BOB, '1_000']);
    assert.equal(
      data,
      `0xa9059cbb${BOB.slice(2).padStart(64, '0')}${(1000).toString(16).padStart(64, '0')}`,
    );
    assert.equal(encodeCall('transfer(address to, uint256 value)(bool)', [BOB, '1000']), data);
    assert.equal(encodeCall('totalSupply()', []), '0x18160ddd');
    assert.equal(
      encodeCall('f((uint8,bool)[])', ['[[1,true]]']).slice(0, 10),
      encodeCall('function f((uint8,bool)[] list) returns (uint256)', ['[]']).slice(0, 10),
    );
  });

  it('is rejected with the argument, its value and what its type accepts', () => {
    const refused: [signature: string, args: string[], message: RegExp][] = [
      [
        'f(uint8)',
        ['256'],
        /^argument 1 \(uint8\) is "256"; accepted: a whole number from 0 to 2\^8/,
      ],
      ['f(address to)', ['bob'], /^argument to \(address\) is "bob"; accepted: an address: /],
      ['f(uint8)', [], /^\[args\.\.\.\] has 0 values; accepted: 1, as f\(uint8\) says$/],
      ['f(uint7x)', ['1'], /^\[signature\] is "f\(uint7x\)"; accepted: a signature such as /],
      ['nonsense', [], /^\[signature\] is "nonsense"; /],
    ];
    for (const [signature, args, message] of refused) {
      assert.throws(() => encodeCall(signature, args), { name: 'UsageError', message });
    }
  });

  it('accepts amounts with units', () => {
    assert.equal(weiOf('1.5ether'), 1_500_000_000_000_000_000n);
    assert.equal(weiOf('20gwei'), 20_000_000_000n);
    assert.equal(weiOf('0x10'), 16n);
    for (const text of ['-1', '1.5', 'ten', `${2n ** 256n}`]) {
      assert.throws(() => weiOf(text), { message: /^--value is / }, text);
    }
  });
});

describe('failures of the command line', () => {
  it('have an exit code that depends on the remedy', () => {
    const exit = (error: unknown): number => failureOf(error).exitCode;
    assert.equal(exit(new ApiError('forkNotFound', 'x')), 1);
    assert.equal(exit(new ApiError('invalidField', 'x')), 2);
    assert.equal(exit(new ApiError('upstreamUnreachable', 'x')), 1);
    assert.equal(exit(new ApiError('upstreamUnreachable', 'x', { cause: new Error('') })), 3);
    assert.equal(exit(new ApiError('keyMissing', 'x')), 4);
    assert.equal(exit(new ApiError('scopeMissing', 'x')), 4);
    assert.equal(exit(new ApiError('cancelled', 'x')), 130);
    assert.equal(exit(new DOMException('x', 'AbortError')), 130);
    assert.deepEqual(failureOf('text'), { code: 50000, message: 'text', exitCode: 1 });
  });
});

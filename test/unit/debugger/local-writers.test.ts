import assert from 'node:assert/strict';
import { AbiCoder, id } from 'ethers';
import { ApiError } from '../../../server/api/errors';
import type { Writers } from '../../../server/api/recording-writers';
import { writersAnswer } from '../../../server/debugger/answers/writers';
import type { WritersQuery } from '../../../server/debugger/answers/writers-query';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { CALLER } from './record';
import { debugCall } from './debug-call';
import { compileAll, VERSIONS, type Settings, type Version } from './solidity';

const SUM = `pragma solidity >=0.4.26;
contract Sum {
    struct Pair { uint256 low; uint256 high; }
    uint256 kept;
    modifier twice(uint256 times) {
        _;
        times += 1;
        kept = times;
    }
    function run(uint256 count, bytes4 tag) public twice(count) returns (uint256 total) {
        uint256 zero;
        uint256 other;
        for (uint256 i = 0; i < count; i++) {
            uint256 square = i * i;
            total = total + square;
        }
        total = total + zero;
        (zero, other) = (other + 1, zero + 2);
        count = add(count, zero);
        kept = other + count;
        tag = 0x01020304;
        Pair memory pair = Pair(total, count);
        pair.low = 9;
        kept = pair.low;
    }
    function add(uint256 count, uint256 more) internal pure returns (uint256) {
        more += count;
        return more;
    }
}`;

/** What the compiler keeps in several words, in inline assembly, and under one name. */
const FORMS = `pragma solidity ^0.8.24;
contract Forms {
    function run(uint256[] calldata list, function() external returns (uint256) callback) external returns (uint256 sum) {
        list = list[1:];
        callback = this.other;
        sum = list.length;
        assembly {
            let twice := mul(sum, 2)
            sum := add(twice, list.offset)
            list.length := 1
        }
        {
            uint256 here = sum;
            sum = here - 100;
        }
        {
            uint256 here = 7;
            sum = here;
        }
        sum = down(2);
        try this.other() returns (uint256 got) {
            sum = got;
        } catch {}
        uint256[] storage kept = values;
        kept.push(list.length);
        callback();
    }
    uint256[] values;
    function other() external returns (uint256) {
        return 5;
    }
    function down(uint256 left) internal returns (uint256 depth) {
        if (left == 0) return 0;
        depth = down(left - 1);
        depth++;
    }
}`;
const SIGNAL = new AbortController().signal;
const OTHER = `${CALLER}${id('other()').slice(2, 10)}`;

describe('the writers of local variables', () => {
  let debugged: DebuggedTransaction;
  let text: string;

  const debug = async (
    [name, source]: readonly [string, string],
    [signature, types, args]: readonly [string, readonly string[], readonly unknown[]],
    settings: Settings = { evmVersion: 'cancun' },
    version: Version = '0.8.30',
  ): Promise<void> => {
    const encoded = AbiCoder.defaultAbiCoder().encode(types, args);
    const input = Buffer.from(`${id(signature).slice(2, 10)}${encoded.slice(2)}`, 'hex');
    const { deployed } = compileAll(`${name}.sol`, source, settings, version)[name]!;
    text = source;
    debugged = await debugCall(deployed, { input });
  };
  const debugSum = (settings?: Settings, version?: Version): Promise<void> => {
    const args = ['run(uint256,bytes4)', ['uint256', 'bytes4'], [3, '0xaabbccdd']] as const;
    return debug(['Sum', SUM], args, settings, version);
  };
  const debugForms = (): Promise<void> => {
    const args = [[4, 5, 6], OTHER] as const;
    return debug(['Forms', FORMS], ['run(uint256[],function)', ['uint256[]', 'bytes24'], args]);
  };

  const lineOf = (part: string): number =>
    text.split('\n').findIndex((line) => line.includes(part)) + 1;
  /** The first step of the n-th time that a line is entered. */
  const stepAt = (part: string, nth = 0): number => {
    const steps: number[] = [];
    let before = 0;
    for (let step = 0; step < debugged.recording.steps; step++) {
      const line = debugged.placeAt(step)?.startLine ?? 0;
      if (line === lineOf(part) && line !== before) steps.push(step);
      before = line;
    }
    return steps[nth]!;
  };
  const ask = (
    variable: string,
    step: number,
    query: Partial<WritersQuery> = {},
  ): Promise<Writers> =>
    writersAnswer(debugged, { access: 'write', variable, step, ...query }, SIGNAL);
  /** Such as `13: 0 → 1`, and `13` for a read. */
  const all = async (
    variable: string,
    [part, nth]: readonly [string, number?],
    query: Partial<WritersQuery> = { access: 'readWrite' },
  ): Promise<string> => {
    const { writers } = await ask(variable, stepAt(part, nth), query);
    const texts = writers.map(({ access, before, after, place }) => {
      const first = before === undefined ? '' : `${before} `;
      const values = after === undefined ? 'written' : `${first}→ ${after}`;
      return access === 'read' ? String(place?.startLine) : `${place?.startLine}: ${values}`;
    });
    return texts.join(', ');
  };

  for (const version of VERSIONS) {
    it(`are those between its declaration and the end of its scope: solc ${version}`, async () => {
      await debugSum({}, version);
      // Before 0.5, a function makes all its variables where it begins.
      const isOld = version === '0.4.26';
      const at = (part: string): number => lineOf(isOld ? 'function run' : part);
      const run = lineOf('function run');
      const [loop, square, sum] = [lineOf('for ('), lineOf('square = i'), lineOf('total + square')];
      const [same, swap, call] = [lineOf('+ zero;'), lineOf('(zero, other) ='), lineOf('= add(')];
      const last = ['kept = other + count'] as const;
      const writes = { access: 'write' } as const;
      const round = ['total + square', 1] as const;
      assert.equal(
        await all('total', last),
        `${run}: → 0, ${sum}, ${sum}: 0 → 0, ${sum}, ${sum}: 0 → 1, ${sum}, ${sum}: 1 → 5, ` +
          `${same}, ${same}: 5 → 5, ${lineOf('= Pair(')}`,
      );
      assert.equal(await all('total', last, writes), `${run}: → 0, ${sum}: 0 → 1, ${sum}: 1 → 5`);
      assert.equal(await all('count', last, writes), `${run}: → 3, ${call}: 3 → 4`);
      const [zero, other] = [at('uint256 zero'), at('uint256 other')];
      assert.equal(
        await all('zero', last),
        `${zero}: → 0, ${same}, ${swap}, ${swap}: 0 → 1, ${call}`,
      );
      assert.equal(await all('other', last, writes), `${other}: → 0, ${swap}: 0 → 2`);
      const steps = `${loop}: 0 → 1, ${loop}: 1 → 2, ${loop}: 2 → 3`;
      assert.equal(await all('i', round, writes), `${at('for (')}: → 0, ${steps}`);
      const squares = isOld ? `${run}: → 0, ${square}: 0 → 1, ${square}: 1 → 4` : `${square}: → 1`;
      assert.equal(await all('square', round, writes), squares);
      const tag = `${run}: → 0xaabbccdd, ${lineOf('tag = 0x')}: 0xaabbccdd → 0x01020304`;
      assert.equal(await all('tag', ['pair.low = 9']), tag);
      const times = lineOf('times += 1');
      assert.equal(
        await all('times', ['kept = times']),
        `${run}: → 3, ${times}, ${times}: 3 → 4, ${lineOf('kept = times')}`,
      );
      const more = lineOf('more += count');
      assert.equal(
        await all('more', ['return more']),
        `${lineOf('function add')}: → 1, ${more}, ${more}: 1 → 4, ${lineOf('return more')}`,
      );
    });
  }

  it('are exact for values of two words, inline assembly, clauses, recursion and equal names', async () => {
    await debugForms();
    const end = ['callback();'] as const;
    assert.equal(await all('list', end), '3: written, 4, 4: written, 6, 9, 10: written, 25');
    assert.equal(await all('callback', end), '3: written, 5: written, 26');
    assert.equal(
      await all('sum', end),
      '3: → 0, 6: 0 → 2, 8, 9: 2 → 136, 13, 14: 136 → 36, 18: 36 → 7, 20: 7 → 2, 22: 2 → 5',
    );
    assert.equal(await all('here', ['sum = here - 100']), '13: → 136, 14');
    assert.equal(await all('here', ['sum = here;']), '17: → 7, 18');
    assert.equal(await all('twice', ['list.length := 1']), '8: → 4, 9');
    assert.equal(await all('got', ['sum = got']), '21: → 5, 22');
    assert.equal(await all('left', ['depth++', 1]), '32: → 2, 33, 34');
    assert.equal(await all('depth', ['depth++', 1]), '32: → 0, 34: 0 → 1, 35, 35: 1 → 2');
  });

  it('are found at a step of a call that it makes, for the call that is asked for', async () => {
    await debugForms();
    const step = stepAt('if (left == 0)', 2);
    const depths: (string | undefined)[] = [];
    for (let call = debugged.calls.callOf[step]!; ; call = debugged.calls.calls[call]!.parent!) {
      if (debugged.functionOf(call) !== 'down') break;
      const { writers } = await ask('left', step, { call });
      depths.push(writers[0]?.after);
    }
    assert.deepEqual(depths, ['0', '1', '2']);
  });

  it('come in pages, with what is not among them', async () => {
    await debugSum();
    const step = stepAt('kept = pair.low');
    const page = await ask('total', step, { access: 'readWrite', start: 1, count: 2 });
    assert.deepEqual(
      [
        page.total,
        page.build,
        page.incomplete,
        page.writers.map(({ kind, access }) => [kind, access]),
      ],
      [
        10,
        'executed',
        undefined,
        [
          ['local', 'read'],
          ['local', 'write'],
        ],
      ],
    );
    const { writers, incomplete } = await ask('pair', step);
    assert.deepEqual(
      writers.map(({ place }) => place?.startLine),
      [lineOf('= Pair(')],
    );
    assert.equal(
      incomplete,
      'pair refers to memory: these are the writes and reads of the reference, and not of what it refers to',
    );
  });

  it('are not known in optimized code, and while the function returns', async () => {
    await debugSum({ optimizer: { enabled: true } });
    const { total, unavailable } = await ask('total', stepAt('kept = other + count'));
    assert.deepEqual(
      [total, unavailable],
      [0, 'it was compiled with the optimizer, which moves and merges variables on the stack'],
    );
    await debugSum();
    const { calls } = debugged.calls;
    const add = calls.find(({ function: own }) => own?.name === 'add')!;
    assert.equal(
      (await ask('more', add.endStep - 1)).unavailable,
      'the function is returning and clears its variables',
    );
  });

  for (const [query, message] of [
    [{ variable: 'total' }, 'variable is "total"; accepted: together with step'],
    [{ step: 1 }, 'step is 1; accepted: together with variable'],
    [{ call: 0 }, 'call is 0; accepted: together with variable'],
    [
      { variable: 'total', step: 1, of: 'storage' },
      'of is "storage"; accepted: without variable, which is no state',
    ],
    [
      { variable: 'kept', step: 1 },
      'variable is "kept"; accepted: an argument, a result or a local variable that is visible at step 1',
    ],
    [
      { variable: 'total', step: 1, call: 99 },
      'call is 99; accepted: a call of the call stack at step 1, such as 0',
    ],
  ] as [Partial<WritersQuery>, string][]) {
    it(`refuse ${JSON.stringify(query)}`, async () => {
      await debugSum();
      const asked = writersAnswer(debugged, { access: 'write', ...query }, SIGNAL);
      await assert.rejects(asked, (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.equal(error.message, message);
        return true;
      });
    });
  }
});

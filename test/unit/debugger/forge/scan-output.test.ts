import assert from 'node:assert/strict';
import { readTests, UnknownForgeOutput } from '../../../../server/debugger/forge/forge-output';
import { scanOutput } from '../../../../server/debugger/forge/scan-output';
import { StepLists } from '../../../../server/debugger/forge/step-lists';

const { signal } = new AbortController();
const step = (pc: number, op: number, stack: string[]): object => ({
  pc,
  op,
  stack,
  memory: `0x${'ab'.repeat(400)}`,
  gas_remaining: 1_000 - pc,
  immediate_bytes: op === 0x60 ? '0x2a' : null,
});
const trace = {
  success: true,
  caller: `0x${'11'.repeat(20)}`,
  address: `0x${'AB'.repeat(20)}`,
  kind: 'CALL',
  value: '0x0',
  data: '0x01',
  output: '0x',
  gas_used: 3,
  gas_limit: 1_000,
  status: 'Stop',
  steps: [step(0, 0x60, []), step(2, 0x33, ['0x2a']), step(3, 0x00, ['0x2a', '0xbeef'])],
};
const OUTPUT = {
  'test/A.t.sol:ATest': {
    test_results: {
      'test_a()': {
        status: 'Failure',
        reason: 'a "quoted\\" {reason} with "steps":[ in it',
        labeled_addresses: {},
        traces: [
          [
            'Execution',
            {
              arena: [
                { children: [], logs: [], ordering: [{ Step: 0 }, { Call: 0 }], trace },
                { children: [], logs: [], ordering: [], trace: { ...trace, steps: [] } },
              ],
            },
          ],
        ],
      },
    },
  },
};

/** @param size of the chunks in bytes */
async function scan(text: string, size: number): Promise<{ rest: string; lists: StepLists }> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) {
      yield await Promise.resolve(bytes.subarray(at, at + size));
    }
  }
  const lists = new StepLists();
  return { rest: await scanOutput(chunks(), lists, signal), lists };
}

describe('the output of forge', () => {
  for (const size of [1, 7, 1_000_000]) {
    it(`is read in chunks of ${size} bytes, without the memory of the steps`, async () => {
      const { rest, lists } = await scan(JSON.stringify(OUTPUT), size);
      assert.ok(!rest.includes('abab'.repeat(20)));
      const [{ contract, name, test } = assert.fail()] = readTests(rest);
      assert.deepEqual(
        [contract, name, test.reason],
        [
          'test/A.t.sol:ATest',
          'test_a()',
          OUTPUT['test/A.t.sol:ATest'].test_results['test_a()'].reason,
        ],
      );
      const [first, second] = test.traces[0]![1].arena;
      assert.equal(first!.trace.address, `0x${'ab'.repeat(20)}`);
      assert.deepEqual(first!.ordering, [{ Call: 0 }]);
      assert.equal(lists.count(first!.trace.steps), 3);
      assert.equal(lists.count(second!.trace.steps), 0);
      assert.deepEqual(lists.at(first!.trace.steps, 2), {
        pc: 3,
        op: 0,
        gas: 997,
        height: 2,
        top: 0xbeefn,
      });
      assert.equal(lists.at(first!.trace.steps, 3), undefined);
      assert.equal(lists.callerOf(first!.trace.steps), `0x${'beef'.padStart(40, '0')}`);
      assert.equal(Buffer.from(lists.codeOf(first!.trace.steps)).toString('hex'), '602a3300');
    });
  }

  it('is refused where it ends in the middle, or where a step has another form', async () => {
    const text = JSON.stringify(OUTPUT);
    await assert.rejects(scan(text.slice(0, -1), 100), /it ends in the middle/);
    await assert.rejects(scan(text.slice(0, 300), 100), /it ends in the middle/);
    const other = text.replace('"gas_remaining":1000', '"gas":1000');
    await assert.rejects(scan(other, 100), UnknownForgeOutput);
    const words = text.replace('["0x2a"]', '[42]');
    await assert.rejects(scan(words, 100), /a word on the stack of a step is not hex/);
  });

  it('is refused by the place that has another form', () => {
    assert.throws(
      () => readTests('{"a":{"test_results":{"t()":{}}}}'),
      /at a\.test_results\.t\(\)\.status/,
    );
    assert.throws(() => readTests('nothing'), /it is not JSON/);
  });
});

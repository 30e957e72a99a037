import assert from 'node:assert/strict';
import { debugArguments, testArguments } from '../../../server/client/forge';
import { lineOfTest, readOutcomes, readTestList } from '../../../server/client/forge-results';

const TEST = { file: 'test/A.t.sol', contract: 'ATest', name: 'test_a' };

describe('what forge says of tests', () => {
  it('lists them, also after lines of the compiler', () => {
    const text = 'No files changed\n{"test/A.t.sol":{"ATest":["test_a","testFuzz_b"]}}\n';
    assert.deepEqual(readTestList(text), [TEST, { ...TEST, name: 'testFuzz_b' }]);
  });

  it('has results with reason, counterexample, logs, gas and time', () => {
    const result = { status: 'Success', reason: null, counterexample: null, decoded_logs: ['x 1'] };
    const fuzz = {
      status: 'Failure',
      reason: 'too large',
      counterexample: { Single: { func_name: null, args: '50' } },
      kind: { Fuzz: { runs: 17, median_gas: 26_915 } },
      duration: '1s 2ms 500µs',
    };
    const invariant = {
      status: 'Failure',
      reason: 'not small',
      counterexample: {
        Sequence: [
          2,
          [
            { func_name: 'add', args: '7' },
            { func_name: 'sub', args: '' },
          ],
        ],
      },
      kind: { Invariant: { runs: 1, calls: 3 } },
      duration: '2h 3m',
    };
    const text = JSON.stringify({
      'test/A.t.sol:ATest': {
        test_results: {
          'test_a()': { ...result, kind: { Unit: { gas: 5 } }, duration: '2ms 541µs 916ns' },
          'testFuzz_b(uint256)': fuzz,
          'invariant_c()': invariant,
          'test_d()': { status: 'Skipped', reason: null, counterexample: 'new' },
        },
      },
    });
    const rows = readOutcomes(text).map((one) => [
      one.name,
      one.status,
      one.reason,
      one.logs.join(),
      one.cost,
      one.milliseconds,
    ]);
    assert.deepEqual(rows, [
      ['test_a', 'Success', '', 'x 1', 'gas 5', 2.541916],
      ['testFuzz_b', 'Failure', 'too large; args=[50]', '', 'runs 17, median gas 26915', 1_002.5],
      ['invariant_c', 'Failure', 'not small; add(7), sub()', '', 'runs 1, calls 3', 7_380_000],
      ['test_d', 'Skipped', '', '', '', undefined],
    ]);
  });

  it('is refused by name where it has another form, and shown where it is an error', () => {
    assert.throws(
      () => readTestList('Error: no such file'),
      /forge wrote no result: Error: no such file/,
    );
    assert.throws(
      () => readOutcomes('{"a:B":{"test_results":{"t()":{}}}}'),
      /forge 1.5 was tried\): at a:B/,
    );
  });

  it('is asked for with patterns of exactly these tests', () => {
    assert.deepEqual(testArguments([]), ['test', '--json', '-vv', '--allow-failure']);
    assert.deepEqual(testArguments([TEST, { ...TEST, name: 'test_b' }]).slice(4), [
      '--match-contract',
      '^(ATest)$',
      '--match-test',
      '^(test_a|test_b)\\(',
      '--match-path',
      'test/A.t.sol',
    ]);
    assert.ok(!testArguments([TEST, { ...TEST, file: 'test/B.t.sol' }]).includes('--match-path'));
    assert.ok(debugArguments(TEST).includes('-vvvvv'));
  });

  it('is at the line of the contract that declares the test', () => {
    const source =
      'contract Other {\n  function test_a() {}\n}\ncontract ATest {\n\n  function test_a() {}\n}';
    assert.equal(lineOfTest(source, TEST), 5);
    assert.equal(lineOfTest(source, { ...TEST, name: 'test_b' }), undefined);
    assert.equal(lineOfTest(source, { ...TEST, contract: 'None' }), undefined);
  });
});

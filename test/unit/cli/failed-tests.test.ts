import assert from 'node:assert/strict';
import { FailedTests } from '../../../server/cli/lock/failed-tests';

const MARK = /\[missing read \d+\]/g;

describe('the test that asked for a missing read', () => {
  const find = (...pieces: string[]): Map<string, string> => {
    const tests = new FailedTests(MARK);
    for (const piece of pieces) tests.take(piece);
    return tests.byMark;
  };

  it('is found in the output of forge, also in colours and pieces', () => {
    const found = find(
      'Ran 2 tests for test/A.t.sol:ATest\n\u001b[31m[FAIL: EVM er',
      'ror; lacks eth_getCode [missing read 2]]\u001b[0m test_one(uint256) (gas: 1)\n',
      '[PASS] test_two() (gas: 1)\nRan 1 test for test/B.t.sol:BTest\n',
      '[FAIL: no fork [missing read 3]] setUp() (gas: 0)\n',
      'Failing tests:\n[FAIL: EVM error; lacks [missing read 2]] test_one(uint256) (gas: 1)\n',
    );
    assert.deepEqual(
      [...found],
      [
        ['[missing read 2]', 'test/A.t.sol:ATest.test_one(uint256)'],
        ['[missing read 3]', 'test/B.t.sol:BTest.setUp()'],
      ],
    );
  });

  it('is found in the output of mocha', () => {
    const found = find(
      '  1 failing\n\n  1) a token\n       moves\n         twice:\n     ProviderError: lacks [missing read 1]\n',
      '      at request\n\n  2) reads:\n     Error: lacks [missing read 4]\n',
    );
    assert.deepEqual(
      [...found],
      [
        ['[missing read 1]', 'a token moves twice'],
        ['[missing read 4]', 'reads'],
      ],
    );
  });

  it('is unknown where the output does not tell', () => {
    assert.equal(find('ERROR lacks [missing read 1]\n').size, 0);
  });
});

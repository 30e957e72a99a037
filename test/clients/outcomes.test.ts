import assert from 'node:assert/strict';
import { compare, type Outcome, type Run } from './outcomes';

const PASSED: Outcome = { status: 'passed' };
const FAILED: Outcome = { status: 'failed', why: 'no' };
const run = (outcomes: Record<string, Outcome>): Run => ({
  outcomes: new Map(Object.entries(outcomes)),
  seconds: 1,
});

describe('the comparison of a suite on both nodes', () => {
  it('counts the tests that pass on both, on the fork and on anvil, and lists those that pass on anvil only', () => {
    const fork = run({ same: PASSED, here: PASSED, there: FAILED, none: FAILED, proof: FAILED });
    const anvil = run({
      same: PASSED,
      here: FAILED,
      there: PASSED,
      none: FAILED,
      proof: PASSED,
      missing: PASSED,
    });
    const refusals = [{ test: /^proof$/, reason: 'there is no trie' }];
    assert.deepEqual(compare({ fork, anvil }, refusals), {
      both: 1,
      onlyHere: 1,
      onlyThere: [
        { test: 'there', why: 'no' },
        { test: 'missing', why: 'it did not run' },
      ],
      refused: ['proof'],
      neither: ['none'],
    });
  });
});

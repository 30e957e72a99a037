import assert from 'node:assert/strict';
import { answersWork, occurringAddressesWork } from '../../../server/cases/case-answers';
import { KeptAnswers } from '../../../server/chains/upstream/kept-answers';
import { atOnce, type Work } from '../../../server/kernel/async/slices';

const A = 'ab'.repeat(20);
const B = `${'00'.repeat(3)}${'cd'.repeat(17)}`;

/** The pauses of a work, with its result. */
function withPauses<T>(work: Work<T>): { pauses: number; result: T } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = work.next();
    if (done === true) return { pauses, result: value };
  }
}

describe('answers of a case file', () => {
  it('are a JSON document a line, written in pieces', () => {
    const answers = new KeptAnswers();
    const result = Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'x'.repeat(40) }));
    const first = { method: 'debug_traceTransaction', params: ['0x1'], outcome: { result } };
    const second = { method: 'eth_chainId', params: [], outcome: { result: '0x1' } };
    answers.add(second);
    answers.add(first);
    const { pauses, result: bytes } = withPauses(answersWork(answers));
    assert.equal(bytes.toString(), `${JSON.stringify(first)}\n${JSON.stringify(second)}\n`);
    assert.ok(pauses >= 10, `${pauses} pauses`);
  });

  it('have addresses in plain form and in words, also where a searched part ends', () => {
    const found = (text: string): string[] => [
      ...atOnce(occurringAddressesWork(Buffer.from(text))),
    ];
    assert.deepEqual(found(`"0x${A.toUpperCase()}"`), [`0x${A}`]);
    assert.deepEqual(found(`"0x${'0'.repeat(24)}${A}"`).includes(`0x${A}`), true);
    assert.deepEqual(found(`"0x${A.slice(1)}"`), []);
    for (const before of [65_470, 65_500, 65_535, 65_536, 65_537]) {
      assert.ok(found(`${' '.repeat(before)}0x${B}`).includes(`0x${B}`), `${before}`);
    }
    const { pauses } = withPauses(occurringAddressesWork(Buffer.alloc(1_000_000, '0')));
    assert.equal(pauses, 16);
  });
});

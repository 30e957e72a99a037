import assert from 'node:assert/strict';
import type { Hex } from '../../../../server/api/primitives';
import { guessRevert } from '../../../../server/analysis/decoding/revert-guess';

const word = (digits: string): string => digits.padStart(64, '0');
const data = (...words: string[]): Hex => `0x6831488c${words.join('')}`;
const ACCOUNT = 'a11ce'.padEnd(40, '7');

describe('data of an unknown error', () => {
  it('is shown as what its words look like, marked as a guess', () => {
    assert.equal(guessRevert(data(word(ACCOUNT), word('2'))), `0x6831488c(guess: 0x${ACCOUNT}, 2)`);
    assert.equal(guessRevert(data()), '0x6831488c()');
  });

  it('keeps words that are neither addresses nor numbers as they are', () => {
    const hash = 'f'.repeat(64);
    assert.equal(guessRevert(data(hash)), `0x6831488c(guess: 0x${hash})`);
    assert.equal(guessRevert(data(word('ff'.repeat(12)))), `0x6831488c(guess: ${2n ** 96n - 1n})`);
  });

  it('is cut after six words', () => {
    const words = Array.from({ length: 7 }, (_, index) => word(String(index)));
    assert.equal(guessRevert(data(...words)), '0x6831488c(guess: 0, 1, 2, 3, 4, 5, …)');
  });

  it('is not guessed if it has no selector or no whole words', () => {
    assert.equal(guessRevert('0x'), undefined);
    assert.equal(guessRevert('0x683148'), undefined);
    assert.equal(guessRevert(`${data(word('1'))}00`), undefined);
  });
});

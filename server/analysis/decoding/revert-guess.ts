import type { Hex } from '../../api/primitives';
import { argumentsOf, selectorOf } from './call';

/** Further words of an error are left out. */
const MAX_WORDS = 6;
const WORD = 64;
/** Numbers from here on are more probably hashes or packed data, and shown as such. */
const NUMBERS_END = 2n ** 96n;
/** An address with this many leading zero digits is more probably a number. */
const ADDRESS = /^0{24}(?!0{8})[0-9a-f]{40}$/;

/**
 * Revert data of an error that nobody knows as text: `0x6831488c(guess: 0x…, 2)`. Its words are addresses or numbers by what they look like.
 * @returns undefined if the data is no selector with whole words, such as raw bytes
 */
export function guessRevert(output: Hex): string | undefined {
  const selector = selectorOf(output);
  if (selector === undefined) return undefined;
  const digits = argumentsOf(output).slice(2).toLowerCase();
  if (digits.length % WORD !== 0) return undefined;
  const count = digits.length / WORD;
  if (count === 0) return `${selector}()`;
  const shown = Array.from({ length: Math.min(count, MAX_WORDS) }, (_, index) =>
    wordText(digits.slice(index * WORD, (index + 1) * WORD)),
  );
  const rest = count > MAX_WORDS ? ', …' : '';
  return `${selector}(guess: ${shown.join(', ')}${rest})`;
}

function wordText(word: string): string {
  if (ADDRESS.test(word)) return `0x${word.slice(24)}`;
  const value = BigInt(`0x${word}`);
  return value < NUMBERS_END ? value.toString() : `0x${word}`;
}

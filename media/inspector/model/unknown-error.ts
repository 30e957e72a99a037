import type { Invocation } from '../../../server/api/explorer';

const WORD = 64;
const MAX_WORDS = 8;
/** Amounts are below this, and addresses are rarely: they would begin with 16 zeros. */
const LEAST_ADDRESS = 1n << 96n;
const ADDRESS_BITS = 160n;

/**
 * The revert data of a call whose error nobody declares, as `0x6831488c(guess: 0x90f7…, 2)`: words that look like an address, or else
 * numbers.
 * @returns undefined if the call gave a reason in words, or if its data is not a selector with words
 */
export function unknownError({ status, revertMessage, output }: Invocation): string | undefined {
  if (status || revertMessage !== '') return undefined;
  const [, selector = '', data = ''] = /^(0x[0-9a-f]{8})([0-9a-f]*)$/i.exec(output) ?? [];
  if (selector === '' || data.length % WORD !== 0) return undefined;
  if (data === '') return `${selector}()`;
  const words = data.match(/.{64}/g) ?? [];
  const shown = words.slice(0, MAX_WORDS).map(wordText);
  const rest = words.length > MAX_WORDS ? ', …' : '';
  return `${selector}(guess: ${shown.join(', ')}${rest})`;
}

function wordText(word: string): string {
  const value = BigInt(`0x${word}`);
  const isAddress = value >= LEAST_ADDRESS && value >> ADDRESS_BITS === 0n;
  return isAddress ? `0x${word.slice(-40)}` : String(value);
}

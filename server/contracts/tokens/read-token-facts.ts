import { AbiCoder, getBytes, isHexString, toUtf8String } from 'ethers';
import { visibleText } from '../../api/visible-text';

const MAX_DECIMALS = 255n;
const MAX_SYMBOL_CHARACTERS = 32;
/** Maximum length of an answer, in bytes: a symbol needs three words. */
const MAX_ANSWER_BYTES = 4096;

/** `decimals()`: undefined if the answer is not one word of at most 255. */
export function readDecimals(answer: unknown): number | undefined {
  if (!isHexString(answer) || answer.length < 66) return undefined;
  const value = BigInt(answer.slice(0, 66));
  return value > MAX_DECIMALS ? undefined : Number(value);
}

/**
 * `symbol()` as `string` or, in old tokens, `bytes32`; undefined if it is neither. Removes control and formatting characters, which could
 * imitate another symbol or disturb the surrounding text. Truncates to 32 characters.
 */
export function readSymbol(answer: unknown): string | undefined {
  if (!isHexString(answer, true) || answer.length / 2 > MAX_ANSWER_BYTES) return undefined;
  const text = answer.length === 66 ? readBytes32(answer) : readString(answer);
  if (text === undefined) return undefined;
  const clean = visibleText(text);
  return clean === '' ? undefined : Array.from(clean).slice(0, MAX_SYMBOL_CHARACTERS).join('');
}

function readString(answer: string): string | undefined {
  try {
    return AbiCoder.defaultAbiCoder().decode(['string'], answer)[0] as string;
  } catch {
    return undefined;
  }
}

function readBytes32(answer: string): string | undefined {
  const bytes = getBytes(answer);
  const end = bytes.indexOf(0);
  try {
    return toUtf8String(end === -1 ? bytes : bytes.subarray(0, end));
  } catch {
    return undefined;
  }
}

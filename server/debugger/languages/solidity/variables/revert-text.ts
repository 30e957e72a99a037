import { bytesText } from '../values/words';
import { nameOf, textField } from './ast';
import type { ProgramTree } from './program-tree';

const ERROR = '08c379a0';
const PANIC = '4e487b71';
const WORD = 32;
const SELECTOR = 4;

/** What revert data say: the text of `Error`, the code of `Panic`, else the name of the source's error, or the data. */
export function revertText(data: Uint8Array, tree: ProgramTree | undefined): string {
  if (data.length === 0) return 'without a message';
  const selector = Buffer.from(data.subarray(0, SELECTOR)).toString('hex');
  const word = (index: number): bigint => {
    const start = SELECTOR + index * WORD;
    return BigInt(`0x0${Buffer.from(data.subarray(start, start + WORD)).toString('hex')}`);
  };
  if (selector === PANIC && data.length === SELECTOR + WORD) {
    return `Panic(0x${word(0).toString(16).padStart(2, '0')})`;
  }
  const length = word(1);
  const start = SELECTOR + 2 * WORD;
  const fits = word(0) === BigInt(WORD) && BigInt(start) + length <= BigInt(data.length);
  if (selector === ERROR && fits) {
    return bytesText('string', data.subarray(start, start + Number(length)));
  }
  const error = tree?.ast
    ?.ofType('ErrorDefinition')
    .find((node) => textField(node, 'errorSelector') === selector);
  return error ? nameOf(error) : bytesText('bytes', data);
}

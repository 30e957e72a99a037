import assert from 'node:assert/strict';
import { writtenValue } from '../../../server/client/written-value';

const word = (digits: string): string => `0x${digits.padStart(64, '0')}`;
const OWNER = 'a1'.repeat(20);

describe('a value in the word of a slot', () => {
  for (const [type, digits, part, expected] of [
    ['uint256', 'ff', {}, '255'],
    ['uint64', '0200000000000000ff', {}, '255'],
    ['uint64', '0200000000000000ff', { offset: 8, length: 8 }, '2'],
    ['int8', 'ff', {}, '-1'],
    ['int256', 'f'.repeat(64), {}, '-1'],
    ['bool', '0100', { offset: 1 }, 'true'],
    ['bool', '0100', {}, 'false'],
    ['address', `07${OWNER}`, {}, `0x${OWNER}`],
    ['contract Token', OWNER, {}, `0x${OWNER}`],
    ['bytes4', '01020304', {}, '0x01020304'],
    ['uint8[]', '03', {}, '3'],
    ['Phase', '02', { length: 1 }, '2'],
    ['Pack', 'abcdef', {}, '0xabcdef'],
    ['', '1234567890'.repeat(6), {}, '0x12345678…34567890'],
  ] as const) {
    it(`of the type ${type || '(unknown)'} in 0x${digits.slice(0, 20)} is ${expected}`, () => {
      assert.equal(writtenValue(type, word(digits), part), expected);
    });
  }
});

import { golden } from './golden';
import type { Argument, Scene } from './stage';

const scene = (call: string, ...values: Argument[]): Scene => ({
  file: 'Arithmetic.sol',
  deploy: { numbers: ['Arithmetic'] },
  transaction: { to: 'numbers', call, arguments: values },
});

describe('golden scripts of arithmetic', () => {
  golden('recursion: 4! = 24', scene('factorial(uint256)', 4), [
    {
      goto: 'Arithmetic.sol:14',
      time: 4,
      stack: [
        'Arithmetic.product(n: 1):14',
        'Arithmetic.product(n: 2):15',
        'Arithmetic.product(n: 3):15',
        'Arithmetic.product(n: 4):15',
        'Arithmetic.factorial(n: 4):9',
      ],
      locals: { n: '1' },
      callers: [{ locals: { n: '2' } }, { locals: { n: '3' } }, { locals: { n: '4' } }],
    },
    { out: 1, at: 'Arithmetic.sol:15', locals: { n: '2' } },
    { over: 1, at: 'Arithmetic.sol:16', locals: { n: '2', rest: '1' } },
    { goto: 'Arithmetic.sol:16', time: 3, locals: { n: '4', rest: '6' } },
    { continue: { write: 'result' }, at: 'Arithmetic.sol:9', values: { result: '0' } },
    {
      over: 1,
      at: 'Arithmetic.sol:10',
      state: { result: '24' },
      before: { result: '0' },
      locals: { n: '4' },
    },
    {
      reverse: { function: 'product' },
      at: 'Arithmetic.sol:13',
      locals: { n: '1' },
      state: { result: '0' },
    },
    { into: 1, at: 'Arithmetic.sol:14', locals: { n: '1' } },
    { backOut: 1, at: 'Arithmetic.sol:15', locals: { n: '2' } },
  ]);

  golden('a loop over call data: 3 + 9 + 4', scene('sum(uint256[])', [3, 9, 4]), [
    {
      goto: 'Arithmetic.sol:24',
      time: 2,
      locals: { numbers: '[3, 9, 4]', total: '12', largest: '3', i: '1', number: '9' },
      values: { 'numbers[i] - largest': '6', 'i * 2 == 2': 'true', 'numbers.length': '3' },
    },
    {
      back: 1,
      at: 'Arithmetic.sol:23',
      locals: { numbers: '[3, 9, 4]', total: '3', largest: '3', i: '1', number: '9' },
    },
    {
      continue: { line: 'Arithmetic.sol:22', condition: 'i == 2' },
      locals: { numbers: '[3, 9, 4]', total: '12', largest: '9', i: '2' },
    },
    {
      goto: 'Arithmetic.sol:26',
      locals: { numbers: '[3, 9, 4]', total: '16', largest: '9' },
      state: { result: '0' },
    },
    { continue: 'end', state: { result: '25' } },
    { reverse: { line: 'Arithmetic.sol:24' }, values: { i: '2', total: '16', number: '4' } },
    { reverse: 'start', at: 'Arithmetic.sol:19', state: { result: '0' } },
  ]);

  golden('wrapping, and a panic', scene('wrap(uint8,int8)', 0, -128), [
    {
      goto: 'Arithmetic.sol:34',
      locals: {
        negative: '-128',
        tiny: '0',
        // Solidity does not clear the bits beyond a type until it uses the value: 0 - 1 is a word of ones, which becomes 255.
        below: '255',
        above: '127',
      },
    },
    {
      back: 1,
      at: 'Arithmetic.sol:32',
      values: { below: '255', above: '0' },
    },
    { goto: 'Arithmetic.sol:35', state: { result: '255' } },
    {
      continue: { failure: 'panic' },
      at: 'Arithmetic.sol:35',
      says: 'Panic: arithmetic overflow or underflow (0x11)',
      state: { result: '255' },
    },
    { reverse: { write: 'result' }, at: 'Arithmetic.sol:34', state: { result: '0' } },
  ]);
});

import assert from 'node:assert/strict';
import { instructionText } from '../../../server/debugger/decoded-instruction';
import { offsetsIn } from '../../../server/debugger/instruction-offsets';

const listed = (hex: string): string[] => {
  const code = Buffer.from(hex, 'hex');
  return [...offsetsIn(code)].map((pc) => instructionText(code, pc));
};

describe('a list of instructions', () => {
  // Cases of EIP-8024.
  for (const [hex, ...expected] of [
    ['e600', 'DUPN 17'],
    ['e780', 'SWAPN 108'],
    ['e6005b', 'DUPN 17', 'JUMPDEST'],
    ['e75b', 'INVALID_SWAPN', 'JUMPDEST'],
    ['e6605b', 'INVALID_DUPN', 'PUSH1 0x5b'],
    ['e7610000', 'INVALID_SWAPN', 'PUSH2 0x0000'],
    ['e65f', 'INVALID_DUPN', 'PUSH0'],
    ['e812', 'EXCHANGE 3 4'],
    ['e8d0', 'EXCHANGE 2 20'],
    ['e850', 'INVALID_EXCHANGE', 'POP'],
  ] as const) {
    it(`of 0x${hex} is ${expected.join(', ')}`, () => {
      assert.deepEqual(listed(hex), expected);
    });
  }

  it('has the bounds of the operands of EIP-8024', () => {
    assert.deepEqual(listed('e65ae6ffe84fe8ff'), [
      'DUPN 107',
      'DUPN 235',
      'EXCHANGE 6 17',
      'EXCHANGE 14 17',
    ]);
    assert.deepEqual(listed('e67fe880'), ['INVALID_DUPN', 'PUSH32 0xe880']);
  });

  it('names SLOTNUM, what is pushed, what is cut off and what is unknown', () => {
    assert.deepEqual(listed('4b600161ffe9'), ['SLOTNUM', 'PUSH1 0x01', 'PUSH2 0xffe9']);
    assert.deepEqual(listed('fee961ff'), ['INVALID', 'INVALID', 'PUSH2 0xff']);
    assert.deepEqual(listed('e6'), ['DUPN 17']);
  });
});

import assert from 'node:assert/strict';
import { instructionText } from '../../../server/debugger/recording/decoded-instruction';
import { offsetsIn } from '../../../server/debugger/recording/instruction-offsets';

const listed = (hex: string): string[] => {
  const code = Buffer.from(hex, 'hex');
  return [...offsetsIn(code)].map((pc) => instructionText(code, pc));
};

describe('a list of instructions', () => {
  // Cases of EIP-8024.
  for (const [hex, ...expected] of [
    ['e680', 'DUPN 17'],
    ['e7db', 'SWAPN 108'],
    ['e6805b', 'DUPN 17', 'JUMPDEST'],
    ['e75b', 'INVALID_SWAPN', 'JUMPDEST'],
    ['e6605b', 'INVALID_DUPN', 'PUSH1 0x5b'],
    ['e7610000', 'INVALID_SWAPN', 'PUSH2 0x0000'],
    ['e65f', 'INVALID_DUPN', 'PUSH0'],
    ['e89d', 'EXCHANGE 2 3'],
    ['e82f', 'EXCHANGE 1 19'],
    ['e850', 'EXCHANGE 14 16'],
    ['e851', 'EXCHANGE 14 15'],
    ['e852', 'INVALID_EXCHANGE', 'MSTORE'],
  ] as const) {
    it(`of 0x${hex} is ${expected.join(', ')}`, () => {
      assert.deepEqual(listed(hex), expected);
    });
  }

  it('has the bounds of the operands of EIP-8024', () => {
    assert.deepEqual(listed('e600e65ae6ffe800e88fe8ff'), [
      'DUPN 145',
      'DUPN 235',
      'DUPN 144',
      'EXCHANGE 9 16',
      'EXCHANGE 1 29',
      'EXCHANGE 1 22',
    ]);
    assert.deepEqual(listed('e67fe880'), ['INVALID_DUPN', 'PUSH32 0xe880']);
  });

  it('names SLOTNUM, what is pushed, what is cut off and what is unknown', () => {
    assert.deepEqual(listed('4b600161ffe9'), ['SLOTNUM', 'PUSH1 0x01', 'PUSH2 0xffe9']);
    assert.deepEqual(listed('fee961ff'), ['INVALID', 'INVALID', 'PUSH2 0xff']);
    assert.deepEqual(listed('e6'), ['DUPN 145']);
  });
});

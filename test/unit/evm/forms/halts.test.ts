import assert from 'node:assert/strict';
import { frameError, haltError } from '../../../../server/evm/forms/halts';

describe('an exceptional halt', () => {
  const halt = (message: string, code = -32603) => haltError({ code, message });

  it("has go-ethereum's code and words", () => {
    const texts = ['InvalidFEOpcode', 'OpcodeNotFound', 'MemoryOOG', 'StackUnderflow'].map(
      (name) => {
        const error = halt(`EVM error ${name}`);
        return [error?.code, error?.message];
      },
    );
    assert.deepEqual(texts, [
      [-32000, 'invalid opcode: INVALID'],
      [-32000, 'invalid opcode'],
      [-32000, 'out of gas'],
      [-32000, 'stack underflow'],
    ]);
  });

  it('keeps what is not a known halt', () => {
    assert.equal(halt('EVM error FatalExternalError'), undefined);
    assert.equal(halt('execution reverted: EVM error OutOfGas', 3), undefined);
    assert.equal(halt('EVM error OutOfGas', 3), undefined);
  });

  it('is translated in frames, whose other errors stay', () => {
    assert.equal(frameError('StateChangeDuringStaticCall'), 'write protection');
    assert.equal(frameError('execution reverted'), 'execution reverted');
  });
});

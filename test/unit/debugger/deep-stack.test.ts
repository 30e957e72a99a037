import assert from 'node:assert/strict';
import { recordCall, CALLER } from './record';

/** The stack after a program, from the top. @returns undefined if it fails */
function stackAfter(hex: string): bigint[] | undefined {
  const code = Buffer.from(`${hex}00`, 'hex');
  const recording = recordCall({ [CALLER]: code }, { hardfork: 'amsterdam' });
  if (recording.end?.kind !== 'returned') return undefined;
  return [...recording.stateAt(recording.steps - 1).frames.at(-1)!.stack].reverse();
}

const zeros = (count: number): bigint[] => Array.from({ length: count }, () => 0n);

// Cases of EIP-8024.
describe('instructions of EIP-8024', function () {
  this.timeout(60_000);

  it('duplicate a word below 16 others', () => {
    const program = '60016000808080808080808080808080808080e680';
    assert.deepEqual(stackAfter(program), [1n, ...zeros(16), 1n]);
  });

  it('exchange the top with a word below 16 others', () => {
    const program = '600160008080808080808080808080808080806002e780';
    assert.deepEqual(stackAfter(program), [1n, ...zeros(16), 2n]);
  });

  it('read a zero after the end of the code', () => {
    const code = Buffer.from('600260008080808080600160008080808080808080e8', 'hex');
    const recording = recordCall({ [CALLER]: code }, { hardfork: 'amsterdam' });
    assert.equal(recording.end?.kind, 'returned');
    const { stack } = recording.stateAt(recording.steps - 1).frames.at(-1)!;
    assert.deepEqual([...stack].reverse(), [...zeros(9), 2n, ...zeros(6), 1n]);
  });

  it('exchange two words below the top', () => {
    assert.deepEqual(stackAfter('600060016002e88e'), [2n, 0n, 1n]);
    const program = `6000${'80'.repeat(27)}60016002e88f`;
    assert.deepEqual(stackAfter(program), [2n, ...zeros(28), 1n]);
  });

  it('are followed by an instruction, not by their operand', () => {
    assert.deepEqual(stackAfter('60008080e88e15'), [1n, 0n, 0n]);
    assert.deepEqual(stackAfter('600456e65b'), []);
  });

  it('fail without an operand of theirs, or on a stack that is too low', () => {
    for (const program of ['e75b', 'e852', `6000${'80'.repeat(15)}e680`]) {
      assert.equal(stackAfter(program), undefined);
    }
  });

  it('are unknown before Amsterdam', () => {
    const code = Buffer.from(`6000${'80'.repeat(16)}e68000`, 'hex');
    const { end } = recordCall({ [CALLER]: code });
    assert.deepEqual([end?.kind, end?.reason], ['halted', 'invalid opcode']);
  });
});

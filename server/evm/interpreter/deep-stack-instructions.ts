import { operandsAt } from './eip8024';
import type { Instruction, Instructions } from './execution';
import { Halt } from './halt';
import { DUPN, EXCHANGE, MAX_STACK, SWAPN } from './opcodes';

/** EIP-8024: an instruction whose operands are in the byte after it. @param run gets them */
const withOperands =
  (run: (stack: bigint[], operands: readonly number[]) => void): Instruction =>
  (_, frame) => {
    const operands = operandsAt(frame.context.code, frame.pc - 1);
    if (!operands) throw new Halt('invalid opcode');
    frame.pc++;
    run(frame.stack, operands);
  };

/** @param one and `other`: places below the top, which is 0 */
function exchange(stack: bigint[], one: number, other: number): void {
  const top = stack.length - 1;
  if (top < Math.max(one, other)) throw new Halt('stack underflow');
  const kept = stack[top - one] ?? 0n;
  stack[top - one] = stack[top - other] ?? 0n;
  stack[top - other] = kept;
}

export const DEEP_STACK: Instructions = {
  [DUPN]: withOperands((stack, [depth = 0]) => {
    if (stack.length < depth) throw new Halt('stack underflow');
    if (stack.length >= MAX_STACK) throw new Halt('stack overflow');
    stack.push(stack[stack.length - depth] ?? 0n);
  }),
  [SWAPN]: withOperands((stack, [depth = 0]) => {
    exchange(stack, 0, depth);
  }),
  [EXCHANGE]: withOperands((stack, [one = 0, other = 0]) => {
    exchange(stack, one, other);
  }),
};

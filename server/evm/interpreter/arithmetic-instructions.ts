import { pop, type Instruction, type Instructions } from './execution';
import { byteLength } from './word';
import * as word from './word';

const unary =
  (of: (a: bigint) => bigint): Instruction =>
  (_, { stack }) => {
    const top = stack.length - 1;
    stack[top] = of(stack[top] ?? 0n);
  };

const binary =
  (of: (a: bigint, b: bigint) => bigint): Instruction =>
  (_, frame) => {
    const a = pop(frame);
    const b = pop(frame);
    frame.stack.push(of(a, b));
  };

const ternary =
  (of: (a: bigint, b: bigint, c: bigint) => bigint): Instruction =>
  (_, frame) => {
    const a = pop(frame);
    const b = pop(frame);
    const c = pop(frame);
    frame.stack.push(of(a, b, c));
  };

const flag = (is: boolean): bigint => (is ? 1n : 0n);

export const ARITHMETIC: Instructions = {
  0x01: binary((a, b) => word.wrap(a + b)),
  0x02: binary((a, b) => word.wrap(a * b)),
  0x03: binary((a, b) => word.wrap(a - b)),
  0x04: binary((a, b) => (b === 0n ? 0n : a / b)),
  0x05: binary(word.signedDivide),
  0x06: binary((a, b) => (b === 0n ? 0n : a % b)),
  0x07: binary(word.signedRemainder),
  0x08: ternary((a, b, n) => (n === 0n ? 0n : (a + b) % n)),
  0x09: ternary((a, b, n) => (n === 0n ? 0n : (a * b) % n)),
  0x0a: (execution, frame) => {
    const base = pop(frame);
    const exponent = pop(frame);
    execution.charge(frame, execution.rules.expByte * byteLength(exponent));
    frame.stack.push(word.power(base, exponent));
  },
  0x0b: binary(word.signExtend),
  0x10: binary((a, b) => flag(a < b)),
  0x11: binary((a, b) => flag(a > b)),
  0x12: binary((a, b) => flag(word.signed(a) < word.signed(b))),
  0x13: binary((a, b) => flag(word.signed(a) > word.signed(b))),
  0x14: binary((a, b) => flag(a === b)),
  0x15: unary((a) => flag(a === 0n)),
  0x16: binary((a, b) => a & b),
  0x17: binary((a, b) => a | b),
  0x18: binary((a, b) => a ^ b),
  0x19: unary((a) => word.MAX_WORD ^ a),
  0x1a: binary(word.byteAt),
  0x1b: binary(word.shiftLeft),
  0x1c: binary(word.shiftRight),
  0x1d: binary(word.shiftRightSigned),
  0x1e: unary(word.leadingZeros),
};

import { pop, type Instruction, type Instructions } from './execution';
import type { Frame } from './frame';
import { jumpDestinations } from './frame';
import { Halt } from './halt';
import { pushedBytes } from './opcodes';
import { wordAt } from './word';

const push: Instruction = (_, frame, byte) => {
  const count = pushedBytes(byte);
  frame.stack.push(wordAt(frame.context.code, frame.pc - count, count));
};

const duplicate: Instruction = (_, { stack }, byte) => {
  stack.push(stack[stack.length - (byte - 0x7f)] ?? 0n);
};

const swap: Instruction = (_, { stack }, byte) => {
  const top = stack.length - 1;
  const other = top - (byte - 0x8f);
  const kept = stack[top] ?? 0n;
  stack[top] = stack[other] ?? 0n;
  stack[other] = kept;
};

function jump(frame: Frame, to: bigint): void {
  const target = to < BigInt(frame.context.code.length) ? Number(to) : -1;
  if (jumpDestinations(frame.context.code)[target] !== 1) throw new Halt('invalid jump');
  frame.pc = target;
}

const each = (first: number, count: number, instruction: Instruction): Instructions =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [first + index, instruction]));

export const STACK: Instructions = {
  0x50: (_, frame) => void frame.stack.pop(),
  0x56: (_, frame) => {
    jump(frame, pop(frame));
  },
  0x57: (_, frame) => {
    const to = pop(frame);
    if (pop(frame) !== 0n) jump(frame, to);
  },
  0x58: (_, frame) => void frame.stack.push(BigInt(frame.pc - 1)),
  0x5a: ({ guide }, frame) => void frame.stack.push(BigInt(guide?.gasRead(frame) ?? frame.gas)),
  0x5b: () => undefined,
  0x5f: (_, frame) => void frame.stack.push(0n),
  ...each(0x60, 32, push),
  ...each(0x80, 16, duplicate),
  ...each(0x90, 16, swap),
};

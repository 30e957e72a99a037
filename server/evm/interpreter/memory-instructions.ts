import { hashOf } from './hash';
import { chargeAccount } from './context-instructions';
import { pop, toIndex, type Execution, type Instruction, type Instructions } from './execution';
import type { Frame } from './frame';
import { wordsIn } from './gas-rules';
import { Halt } from './halt';
import { toAddress } from './word';

const COPY_WORD = 3;
const HASH_WORD = 6;

/** Copies bytes into memory. The stack has: place in memory, place in the source, length. */
function copyBytes(execution: Execution, frame: Frame, source: Uint8Array): void {
  const to = pop(frame);
  const from = pop(frame);
  const length = pop(frame);
  chargeCopy(execution, frame, to, length);
  if (length > 0n) frame.memory.copyFrom(source, toIndex(from), Number(to), Number(length));
}

function chargeCopy(execution: Execution, frame: Frame, to: bigint, length: bigint): void {
  execution.charge(frame, COPY_WORD * wordsIn(toIndex(length)));
  execution.useMemory(frame, to, length);
}

const copied =
  (source: (frame: Frame) => Uint8Array): Instruction =>
  (execution, frame) => {
    copyBytes(execution, frame, source(frame));
  };

export const MEMORY: Instructions = {
  0x20: (execution, frame) => {
    const offset = pop(frame);
    const length = pop(frame);
    execution.charge(frame, HASH_WORD * wordsIn(toIndex(length)));
    execution.useMemory(frame, offset, length);
    frame.stack.push(hashOf(frame.memory.read(toIndex(offset), Number(length))));
  },
  0x37: copied(({ context }) => context.input),
  0x39: copied(({ context }) => context.code),
  0x3c: (execution, frame) => {
    const address = toAddress(pop(frame));
    chargeAccount(execution, frame, address, execution.rules.extCode);
    execution.charge(frame, execution.rules.codeRead);
    copyBytes(execution, frame, execution.world.account(address).code);
  },
  0x3e: (execution, frame) => {
    const [length = 0n, from = 0n] = frame.stack.slice(-3);
    if (from + length > BigInt(frame.returned.length)) throw new Halt('return data out of bounds');
    copyBytes(execution, frame, frame.returned);
  },
  0x51: (execution, frame) => {
    const offset = pop(frame);
    execution.useMemory(frame, offset, 32n);
    frame.stack.push(frame.memory.word(Number(offset)));
  },
  0x52: (execution, frame) => {
    const offset = pop(frame);
    const value = pop(frame);
    execution.useMemory(frame, offset, 32n);
    frame.memory.setWord(Number(offset), value);
  },
  0x53: (execution, frame) => {
    const offset = pop(frame);
    const value = pop(frame);
    execution.useMemory(frame, offset, 1n);
    frame.memory.setByte(Number(offset), Number(value & 0xffn));
  },
  0x59: (_, frame) => void frame.stack.push(BigInt(frame.memory.size)),
  0x5e: (execution, frame) => {
    const to = pop(frame);
    const from = pop(frame);
    const length = pop(frame);
    chargeCopy(execution, frame, to > from ? to : from, length);
    if (length > 0n) frame.memory.move(Number(from), Number(to), Number(length));
  },
};

import { isSince, type ExecutedHardfork } from '../forms/hardfork-order';
import { ARITHMETIC } from './arithmetic-instructions';
import { CALLS } from './call-instructions';
import { CONTEXT } from './context-instructions';
import { ENDS_AND_CREATIONS } from './creation-instructions';
import type { Instruction } from './execution';
import { MEMORY } from './memory-instructions';
import { OPCODES, type Opcode } from './opcodes';
import { DEEP_STACK } from './deep-stack-instructions';
import { STACK } from './stack-instructions';
import { STORAGE } from './storage-instructions';

const ALL = {
  ...ARITHMETIC,
  ...CONTEXT,
  ...MEMORY,
  ...STACK,
  ...DEEP_STACK,
  ...STORAGE,
  ...CALLS,
  ...ENDS_AND_CREATIONS,
};

export interface Executable extends Opcode {
  readonly run: Instruction;
}

/** The instructions of a hardfork by their byte; undefined: invalid. */
export const instructionsOf = (hardfork: ExecutedHardfork): readonly (Executable | undefined)[] =>
  OPCODES.map((opcode, byte) => {
    const run = ALL[byte];
    return opcode && run && isSince(hardfork, opcode.since) ? { ...opcode, run } : undefined;
  });

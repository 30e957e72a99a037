import type { Progress } from './guide';
import { JUMPDEST, pushedBytes } from './opcodes';
import { Memory } from './memory';

export type FrameKind = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2';

export const isCreationKind = (kind: FrameKind): boolean => kind === 'CREATE' || kind === 'CREATE2';

/** What a call frame executes, and for whom. Addresses in lower case, values in wei. */
export interface FrameContext {
  readonly kind: FrameKind;
  /** Whose storage and balance it uses. */
  readonly address: string;
  /** Whose code it executes; the new account for a creation. */
  readonly codeAddress: string;
  readonly caller: string;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly code: Uint8Array;
  readonly isStatic: boolean;
  /** 0 for the transaction's own. */
  readonly depth: number;
  readonly gas: number;
  /**
   * Gas for the account that the call makes (EIP-8037). Its caller paid it, and gets it back if the call fails; the transaction's own frame
   * pays it itself.
   */
  readonly accountGas?: number;
  /** Where the caller wants the returned data. */
  readonly output: { readonly offset: number; readonly length: number };
}

const NO_BYTES = new Uint8Array(0);

/** What is charged for gas. */
export interface GasMeter {
  gas: number;
  /** Gas for state that was taken from `gas`, since the reservoir was empty; that of successful calls included (EIP-8037). */
  stateSpill: number;
  /** Nothing is charged: see `Guide`. */
  readonly isFree?: boolean;
}

/** A call frame during its execution. */
export class Frame implements GasMeter {
  pc = 0;
  gas: number;
  stack: bigint[] = [];
  memory = new Memory();
  /** What the last call returned. */
  returned: Uint8Array = NO_BYTES;
  stateSpill = 0;

  /**
   * @param index place among all frames, in the order of their calls
   * @param mark of the world before its effects
   * @param reservoir gas for state alone that the transaction has again if the frame fails (EIP-8037)
   * @param progress of a frame that a guide leads
   */
  constructor(
    readonly index: number,
    readonly context: FrameContext,
    readonly mark: number,
    readonly reservoir = 0,
    readonly progress?: Progress,
  ) {
    this.gas = context.gas;
  }

  get isFree(): boolean {
    return this.progress !== undefined;
  }

  clone(): Frame {
    const progress = this.progress?.clone();
    const copy = new Frame(this.index, this.context, this.mark, this.reservoir, progress);
    copy.pc = this.pc;
    copy.gas = this.gas;
    copy.stack = [...this.stack];
    copy.memory = this.memory.clone();
    copy.returned = this.returned;
    copy.stateSpill = this.stateSpill;
    return copy;
  }
}

const DESTINATIONS = new WeakMap<Uint8Array, Uint8Array>();

/** A byte for each byte of code: 1 where a jump may lead. */
export function jumpDestinations(code: Uint8Array): Uint8Array {
  const known = DESTINATIONS.get(code);
  if (known) return known;
  const found = new Uint8Array(code.length);
  for (let pc = 0; pc < code.length; pc++) {
    const byte = code[pc] ?? 0;
    if (byte === JUMPDEST) found[pc] = 1;
    else pc += pushedBytes(byte);
  }
  DESTINATIONS.set(code, found);
  return found;
}

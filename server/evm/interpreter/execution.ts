import type { Environment } from './environment';
import type { Frame, FrameContext, GasMeter } from './frame';
import type { Guide } from './guide';
import type { GasRules } from './gas-rules';
import type { HaltReason } from './halt';
import type { EmittedLog, World } from './world';

/** How a call frame ended. */
export interface FrameEnd {
  readonly kind: 'returned' | 'reverted' | 'halted';
  readonly output: Uint8Array;
  /** Of an exceptional halt. */
  readonly reason?: string;
}

/** What instructions do with the execution that they are part of. */
export interface Execution {
  readonly environment: Environment;
  readonly rules: GasRules;
  readonly world: World;
  /** Of an execution along a recorded one. */
  readonly guide: Guide | undefined;
  /** @throws Halt out of gas */
  charge(meter: GasMeter, gas: number): void;
  /** Charges gas for state: the reservoir, then the meter (EIP-8037). @throws Halt out of gas */
  chargeState(meter: GasMeter, gas: number): void;
  /** Gives gas for state back: what was taken last first (EIP-8037). */
  refillState(meter: GasMeter, gas: number): void;
  /** Makes memory usable, and charges for it. @throws Halt out of gas */
  useMemory(frame: Frame, offset: bigint, length: bigint): void;
  /** Who makes the next call of a frame: its account, unless cheatcodes name another one. */
  senderOf(frame: Frame): string;
  /** Address of the contract that a frame creates next. @param computed by the rules */
  createdBy(frame: Frame, computed: string): string;
  /** Begins a call. @param mark of the world before the effects of the call */
  enter(context: FrameContext, mark: number): void;
  /** Begins a call that fails at once. */
  refuse(context: FrameContext, mark: number, reason: HaltReason): void;
  /** Ends the newest frame. Its caller goes on. */
  leave(end: FrameEnd): void;
  /** Notes a read of storage. */
  loaded(frame: Frame, slot: bigint, isTransient: boolean): void;
  store(frame: Frame, slot: bigint, value: bigint): void;
  storeTransient(frame: Frame, slot: bigint, value: bigint): void;
  emit(frame: Frame, log: EmittedLog): void;
}

/** Its static gas is charged, and the program counter is after it and its data. @param byte of the instruction */
export type Instruction = (execution: Execution, frame: Frame, byte: number) => void;

/** Instructions by their byte. */
export type Instructions = Readonly<Record<number, Instruction>>;

/** @throws never: the depth of the stack is checked before an instruction runs */
export function pop(frame: Frame): bigint {
  return frame.stack.pop() ?? 0n;
}

/** Lengths and offsets that no memory can have are those of a halt before they are used. */
export const toIndex = (word: bigint): number => (word > 2n ** 40n ? 2 ** 40 : Number(word));

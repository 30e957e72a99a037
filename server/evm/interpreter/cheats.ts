import type { FrameEnd } from './execution';
import type { FrameContext } from './frame';
import type { Machine } from './machine';

/** How a call ends that something else than the EVM answers. */
export interface Answer extends FrameEnd {
  readonly gasUsed: number;
  /** What it does to the state and the block, besides its answer. */
  readonly effect?: (machine: Machine) => void;
}

/**
 * What is known of an execution besides the rules of the EVM, from who executed it first: a test's cheatcodes do what no instruction does.
 * It answers the same for the same place each time, because copies of a machine execute again.
 */
export interface Cheats {
  /** Who makes the call that becomes a frame. @param parent index of the calling frame */
  sender(frame: number, parent: number, caller: FrameContext): string;
  /** Address of a new contract. @param parent undefined for that of the transaction @param computed by the rules */
  created(frame: number, parent: number | undefined, computed: string): string;
  /** @returns the context in which a frame begins, and its answer if it executes no code */
  begin(
    frame: number,
    parent: number | undefined,
    context: FrameContext,
  ): { readonly context: FrameContext; readonly answer?: Answer | undefined };
  /** What the caller sees of a frame's end. */
  endSeen(frame: number, end: FrameEnd): FrameEnd;
  /** Whether instructions of a frame gave what the rules do not give: only the executed code can be executed again. */
  isCorrected(frame: number): boolean;
  /** Corrects the machine after an instruction of the executed code. @param step of the instruction */
  after(machine: Machine, step: number): void;
}

import type { FrameEnd } from './execution';
import type { Frame, FrameContext } from './frame';
import type { EmittedLog, World } from './world';

/** A slot that a frame wrote. */
export interface WrittenSlot {
  readonly slot: bigint;
  readonly isTransient: boolean;
  /** Before the first write. */
  readonly before: bigint;
}

/** How far a frame has come along the effects of a recorded one. */
export class Progress {
  /** Index of the next effect. */
  next = 0;
  /** GAS instructions since the last effect. */
  gasReads = 0;
  /** Slots that were written since storage was compared, by slot and kind. */
  written = new Map<string, WrittenSlot>();

  clone(): Progress {
    const copy = new Progress();
    copy.next = this.next;
    copy.gasReads = this.gasReads;
    copy.written = new Map(this.written);
    return copy;
  }
}

/**
 * Leads an execution along a recorded one: some frames execute other code than the recorded one, without a bound of gas, and must have the same
 * effects. What changes is in the frames; each method throws where an effect is another one.
 */
export interface Guide {
  /** Most gas of the instructions of led frames together: their work is bounded by nothing else. */
  readonly mostGas: number;
  /** A call begins. @returns what it executes, and its progress if that is not the recorded code */
  enter(
    index: number,
    context: FrameContext,
    caller: Frame | undefined,
    world: World,
  ): { readonly context: FrameContext; readonly progress: Progress | undefined };
  /** A frame ends. @returns the gas that it gives back */
  leave(frame: Frame, end: FrameEnd, world: World): number;
  /** Gas of a frame after its last effect. */
  gasAfter(frame: Frame): number;
  /** A call or creation that begins no frame. */
  refused(frame: Frame, world: World): void;
  /** The recorded creation code in the place of other code of the same sources. */
  initCode(frame: Frame, code: Uint8Array): Uint8Array;
  /** The recorded deployed code in the place of other code of the same sources. */
  deployedCode(frame: Frame, code: Uint8Array): Uint8Array;
  logged(frame: Frame, log: EmittedLog): void;
  stored(frame: Frame, store: WrittenSlot): void;
  destroyed(frame: Frame, heir: string, world: World): void;
  /** What a GAS instruction gives. */
  gasRead(frame: Frame): number;
}

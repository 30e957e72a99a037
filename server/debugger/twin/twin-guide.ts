import { LIMITS } from '../../api/limits';
import type { FrameEnd } from '../../evm/interpreter/execution';
import { isCreationKind, type Frame, type FrameContext } from '../../evm/interpreter/frame';
import { Progress, type Guide, type WrittenSlot } from '../../evm/interpreter/guide';
import type { EmittedLog, World } from '../../evm/interpreter/world';
import { slotKey, type RecordedFrame, type Recording } from '../recording/recording';
import { Difference } from './difference';
import type { Effect } from './effects';
import { callText, endText, isSameBytes, logText, slotText } from './effect-texts';

/** What leads an execution: the recorded one, and the codes in the place of its codes. */
interface Led {
  readonly original: Recording;
  /** By frame, as `effectsWork`. */
  readonly effects: readonly (readonly Effect[])[];
  /** Code that a frame executes in the place of its own; undefined: its own. */
  readonly codeOf: (frame: number) => Uint8Array | undefined;
  /** The same creation code without the optimizer, also of frames that execute their own. */
  readonly createdBy: (frame: number) => Uint8Array | undefined;
  /** What a creation without the optimizer returns, by its frame. */
  readonly deployedBy: (frame: number) => Uint8Array | undefined;
}

/** Compares each effect of a led frame with the recorded one. Throws `Difference` at the first one that is another one. */
export class TwinGuide implements Guide {
  readonly mostGas: number;
  /** Frames in which GAS instructions do not correspond to the recorded ones. */
  readonly unprovedGas = new Set<number>();

  constructor(private readonly led: Led) {
    const { gas } = led.original.environment.transaction;
    this.mostGas = LIMITS.unoptimizedGas * gas + LIMITS.unoptimizedMoreGas;
  }

  enter(
    index: number,
    context: FrameContext,
    caller: Frame | undefined,
    world: World,
  ): ReturnType<Guide['enter']> {
    const recorded = this.led.original.frames[index];
    if (caller?.progress) {
      const effect = this.#next(caller, 'call', () => callText(context));
      if (!recorded || effect.frame !== index || !isSameCall(context, recorded.context)) {
        const other = this.led.original.frames[effect.frame ?? -1]?.context;
        throw this.#difference(caller, other ? callText(other) : 'a call', callText(context));
      }
      this.#compareStorage(caller, effect, world);
      this.#pass(caller, effect);
    } else if (!recorded || !isSameCall(context, recorded.context)) {
      throw new Difference(undefined, -1, 'a recorded call is another one');
    }
    const { gas } = recorded.context;
    const code = this.led.codeOf(index);
    if (!code) return { context: { ...context, gas }, progress: undefined };
    return { context: { ...context, gas, code }, progress: new Progress() };
  }

  leave(frame: Frame, end: FrameEnd, world: World): number {
    const recorded = this.led.original.frames[frame.index];
    if (!frame.progress) return recorded?.gasLeft ?? 0;
    const effect = this.#next(frame, 'end', () => endText(end));
    const known = recorded?.end;
    if (!recorded || !known || !isSameEnd(end, known, recorded)) {
      throw this.#difference(frame, known ? endText(known) : 'no end', endText(end));
    }
    if (end.kind === 'returned') this.#compareStorage(frame, effect, world);
    this.#countGas(frame, effect);
    return recorded.gasLeft;
  }

  gasAfter(frame: Frame): number {
    const effect = this.led.effects[frame.index]?.[(frame.progress?.next ?? 0) - 1];
    return effect && effect.gasAfter >= 0 ? effect.gasAfter : frame.gas;
  }

  refused(frame: Frame, world: World): void {
    if (!frame.progress) return;
    const effect = this.#next(frame, 'refused', () => 'a call that does not begin');
    this.#compareStorage(frame, effect, world);
    this.#pass(frame, effect);
    frame.gas = this.gasAfter(frame);
  }

  initCode(frame: Frame, code: Uint8Array): Uint8Array {
    const created = frame.progress && this.#effectOf(frame)?.frame;
    if (created === undefined) return code;
    const recorded = this.led.original.frames[created]?.context;
    if (!recorded || !isCreationKind(recorded.kind)) return code;
    const other = this.led.createdBy(created);
    const isKnown = isSameBytes(code, recorded.code) || (other && isSameBytes(code, other));
    if (isKnown) return recorded.code;
    const what = other ? 'another creation code' : 'creation code whose source is not known';
    throw this.#difference(frame, 'a creation', `a creation with ${what}`);
  }

  deployedCode(frame: Frame, code: Uint8Array): Uint8Array {
    const recorded = this.led.original.frames[frame.index]?.end?.output ?? NO_BYTES;
    const other = this.led.deployedBy(frame.index);
    if (isSameBytes(code, recorded) || (other && isSameBytes(code, other))) return recorded;
    throw this.#difference(frame, 'deployed code', 'deployed code with other values in it');
  }

  logged(frame: Frame, log: EmittedLog): void {
    if (!frame.progress) return;
    const effect = this.#next(frame, 'log', () => logText(log));
    if (!effect.log || logText(effect.log) !== logText(log)) {
      throw this.#difference(frame, effect.log ? logText(effect.log) : 'a log', logText(log));
    }
    this.#pass(frame, effect);
    frame.gas = this.gasAfter(frame);
  }

  stored({ progress }: Frame, store: WrittenSlot): void {
    const key = slotKey('', store.slot, store.isTransient);
    if (progress && !progress.written.has(key)) progress.written.set(key, store);
  }

  destroyed(frame: Frame, heir: string, world: World): void {
    if (!frame.progress) return;
    const text = (to: string): string => `a self-destruction for ${to}`;
    const effect = this.#next(frame, 'destruction', () => text(heir));
    if (effect.heir !== heir) throw this.#difference(frame, text(effect.heir ?? ''), text(heir));
    this.#compareStorage(frame, effect, world);
    this.#pass(frame, effect);
  }

  gasRead(frame: Frame): number {
    const { progress } = frame;
    if (!progress) return frame.gas;
    const known = this.#effectOf(frame)?.gasReads[progress.gasReads++];
    if (known === undefined) this.unprovedGas.add(frame.index);
    return known ?? frame.gas;
  }

  #effectOf({ index, progress }: Frame): Effect | undefined {
    return this.led.effects[index]?.[progress?.next ?? 0];
  }

  /** @throws Difference unless the next effect has a kind */
  #next(frame: Frame, kind: Effect['kind'], found: () => string): Effect {
    const effect = this.#effectOf(frame);
    if (effect?.kind === kind) return effect;
    throw this.#difference(frame, this.#textOf(frame, effect), found());
  }

  #textOf({ index }: Frame, effect: Effect | undefined): string {
    const { frames } = this.led.original;
    switch (effect?.kind) {
      case 'call': {
        const called = frames[effect.frame ?? -1];
        return called ? callText(called.context) : 'a call';
      }
      case 'log':
        return effect.log ? logText(effect.log) : 'a log';
      case 'refused':
        return 'a call that does not begin';
      case 'destruction':
        return `a self-destruction for ${effect.heir ?? ''}`;
      default: {
        const end = frames[index]?.end;
        return end ? endText(end) : 'nothing';
      }
    }
  }

  #pass(frame: Frame, effect: Effect): void {
    this.#countGas(frame, effect);
    if (frame.progress) frame.progress.next++;
  }

  #countGas({ index, progress }: Frame, { gasReads }: Effect): void {
    if (!progress) return;
    if (progress.gasReads !== gasReads.length) this.unprovedGas.add(index);
    progress.gasReads = 0;
  }

  /** Slots may be written in fewer steps by the optimizer: what others can see is compared. @throws Difference */
  #compareStorage(frame: Frame, { changes }: Effect, world: World): void {
    const { progress, context } = frame;
    if (!progress) return;
    const { address } = context;
    const valueOf = ({ slot, isTransient }: Pick<WrittenSlot, 'slot' | 'isTransient'>): bigint =>
      isTransient ? world.transient(address, slot) : world.storage(address, slot);
    const expected = new Map<
      string,
      Pick<WrittenSlot, 'slot' | 'isTransient'> & { value: bigint }
    >();
    for (const [key, one] of progress.written) expected.set(key, { ...one, value: one.before });
    for (const [key, one] of changes) expected.set(key, { ...one, value: one.after });
    for (const one of expected.values()) {
      const value = valueOf(one);
      if (value === one.value) continue;
      throw this.#difference(frame, slotText(one, one.value), slotText(one, value));
    }
    progress.written.clear();
  }

  #difference(frame: Frame, recorded: string, found: string): Difference {
    const step = this.#effectOf(frame)?.step ?? -1;
    const text = `the executed build has ${recorded}, and the unoptimized one ${found}`;
    return new Difference(frame.index, step, text);
  }
}

const NO_BYTES = new Uint8Array(0);

/** What a callee and its account see of a call. */
const isSameCall = (one: FrameContext, other: FrameContext): boolean =>
  one.kind === other.kind &&
  one.address === other.address &&
  one.codeAddress === other.codeAddress &&
  one.caller === other.caller &&
  one.value === other.value &&
  one.isStatic === other.isStatic &&
  (isCreationKind(one.kind) || isSameBytes(one.input, other.input));

/** The code that a creation returns was compared when it was stored. */
const isSameEnd = (one: FrameEnd, other: FrameEnd, { context }: RecordedFrame): boolean =>
  one.kind === other.kind &&
  one.reason === other.reason &&
  ((isCreationKind(context.kind) && one.kind === 'returned') ||
    isSameBytes(one.output, other.output));

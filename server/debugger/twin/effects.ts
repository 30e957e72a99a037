import type { Work } from '../../kernel/async/slices';
import { toAddress } from '../../evm/interpreter/word';
import { slotKey, type RecordedLog, type Recording } from '../recording/recording';

/** What a slot became between two effects. */
interface SlotChange {
  readonly slot: bigint;
  readonly isTransient: boolean;
  readonly after: bigint;
}

/** Something that a frame does and others can see. */
export interface Effect {
  /** `refused`: a call or creation that begins no frame. */
  readonly kind: 'call' | 'refused' | 'log' | 'destruction' | 'end';
  readonly step: number;
  /** Index of the frame of a call or creation. */
  readonly frame?: number;
  readonly log?: RecordedLog;
  /** Of a self-destruction. */
  readonly heir?: string;
  /** Results of the GAS instructions since the effect before. */
  readonly gasReads: readonly number[];
  /** Slots that were written since the last effect that is no log, by slot. */
  readonly changes: ReadonlyMap<string, SlotChange>;
  /** Gas of the frame behind it. */
  gasAfter: number;
}

const GAS = 0x5a;
const DESTRUCTION = 0xff;
const CALLS = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa]);
/** Steps between two pauses. */
const STEPS = 8_192;
const GAS_COST = 2;

/** What is collected of a frame until its next effect. */
interface Open {
  gasReads: number[];
  changes: Map<string, SlotChange>;
  effects: Effect[];
}

/** The effects of each frame of a recording, in order; the last one is its end. */
export function* effectsWork(recording: Recording): Work<readonly (readonly Effect[])[]> {
  const { frames, logs, stores } = recording;
  const open = frames.map((): Open => ({ gasReads: [], changes: new Map(), effects: [] }));
  // An instruction begins one frame at most, whose first step, or that behind it, is the next one.
  const entered = new Map(frames.map(({ firstStep }, index) => [firstStep, index] as const));
  let log = 0;
  let store = 0;
  for (let step = 0; step < recording.steps; step++) {
    if (step % STEPS === STEPS - 1) yield STEPS;
    const { pc, frame, gas } = recording.at(step);
    const own = open[frame];
    const { context, endStep } = frames[frame] ?? {};
    if (!own || !context) continue;
    const last = own.effects.at(-1);
    if (last && last.gasAfter < 0) last.gasAfter = gas;
    const op = context.code[pc] ?? 0;
    if (op === GAS) own.gasReads.push(gas - GAS_COST);
    for (; stores[store]?.step === step; store++) {
      const { slot, isTransient, after } = stores[store] ?? NO_STORE;
      const key = slotKey('', slot, isTransient);
      own.changes.set(key, { slot, isTransient, after });
    }
    const logged = logs[log];
    if (logged?.step === step) {
      log++;
      add(own, { kind: 'log', step, log: logged });
    } else if (op === DESTRUCTION && endStep === step + 1) {
      const { stack } = (yield* recording.stateWork(step)).frames.at(-1) ?? { stack: [] };
      add(own, { kind: 'destruction', step, heir: toAddress(stack.at(-1) ?? 0n) });
    } else if (CALLS.has(op)) {
      const called = entered.get(step + 1);
      const isHalt = called === undefined && endStep === step + 1;
      if (called !== undefined) add(own, { kind: 'call', step, frame: called });
      else if (!isHalt) add(own, { kind: 'refused', step });
    }
  }
  return open.map((own, index) => {
    add(own, { kind: 'end', step: (frames[index]?.endStep ?? 1) - 1 });
    return own.effects;
  });
}

const NO_STORE = { slot: 0n, isTransient: false, after: 0n };

function add(own: Open, effect: Omit<Effect, 'gasReads' | 'changes' | 'gasAfter'>): void {
  const isLog = effect.kind === 'log';
  const changes = isLog ? NO_CHANGES : own.changes;
  own.effects.push({ ...effect, gasReads: own.gasReads, changes, gasAfter: -1 });
  own.gasReads = [];
  if (!isLog) own.changes = new Map();
}

const NO_CHANGES: ReadonlyMap<string, SlotChange> = new Map();

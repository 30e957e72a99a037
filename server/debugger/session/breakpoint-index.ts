import { toWord } from '../../evm/forms/quantity';
import type { DebuggedTransaction } from './debugged-transaction';
import { slotKey, type RecordedLog, type RecordedStore } from '../recording/recording';

/** Steps of a recording by what happens there. Each part is made when it is first asked for. */
export class BreakpointIndex {
  #functions: ReadonlyMap<string, readonly number[]> | undefined;
  #writes: ReadonlyMap<string, readonly RecordedStore[]> | undefined;
  #events: ReadonlyMap<number, string> | undefined;
  #eventSteps: ReadonlyMap<string, readonly number[]> | undefined;
  #logs: ReadonlyMap<number, RecordedLog> | undefined;
  #writeSteps: ReadonlySet<number> | undefined;

  constructor(private readonly debugged: DebuggedTransaction) {}

  /**
   * The first stop in each call of a function; its first step if it has no lines.
   * @param name of the function, or `Contract.function` with the contract of the code or the one that declares it
   */
  function(name: string): readonly number[] {
    this.#functions ??= functionSteps(this.debugged);
    return this.#functions.get(name) ?? [];
  }

  /** @param address in lower case */
  writes(address: string, slot: bigint, isTransient: boolean): readonly RecordedStore[] {
    this.#writes ??= writesBySlot(this.debugged);
    return this.#writes.get(slotKey(address, slot, isTransient)) ?? [];
  }

  /** The log that is written at a step. */
  logAt(step: number): RecordedLog | undefined {
    const { logs } = this.debugged.recording;
    this.#logs ??= new Map(logs.map((log) => [log.step, log]));
    return this.#logs.get(step);
  }

  /** Steps that write a slot. */
  get writeSteps(): ReadonlySet<number> {
    this.#writeSteps ??= new Set(this.debugged.recording.stores.map(({ step }) => step));
    return this.#writeSteps;
  }

  /** All writes of an account. @param address in lower case */
  *writesOf(address: string, isTransient: boolean): Generator<RecordedStore> {
    const { frames, stores } = this.debugged.recording;
    for (const store of stores) {
      const isOwn = frames[store.frame]?.context.address === address;
      if (isOwn && store.isTransient === isTransient) yield store;
    }
  }

  /** Names of the events by step, ascending; empty for one that is not known. */
  get events(): ReadonlyMap<number, string> {
    const { logs } = this.debugged.recording;
    this.#events ??= new Map(logs.map((log) => [log.step, this.debugged.eventOf(log)]));
    return this.#events;
  }

  /** Steps of the events of a name, ascending. @param name * for all */
  eventSteps(name: string): readonly number[] {
    this.#eventSteps ??= stepsByEvent(this.events);
    return this.#eventSteps.get(name) ?? [];
  }
}

function stepsByEvent(events: ReadonlyMap<number, string>): Map<string, number[]> {
  const found = new Map<string, number[]>([['*', [...events.keys()]]]);
  for (const [step, name] of events) {
    const steps = found.get(name);
    if (steps) steps.push(step);
    else found.set(name, [step]);
  }
  return found;
}

function functionSteps(debugged: DebuggedTransaction): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const add = (name: string, step: number): void => {
    const steps = found.get(name);
    if (steps) steps.push(step);
    else found.set(name, [step]);
  };
  for (const [index, { frame, firstStep, endStep }] of debugged.calls.calls.entries()) {
    const name = debugged.functionOf(index);
    if (firstStep === endStep || name === '') continue;
    const step = debugged.stops.firstIn(index) ?? firstStep;
    const code = debugged.codeOf(frame);
    add(name, step);
    const declaring = debugged.declaringContractOf(index) ?? '';
    if (code) add(`${debugged.nameOf(code)}.${name}`, step);
    if (declaring !== '') add(`${declaring}.${name}`, step);
  }
  for (const steps of found.values()) steps.sort((a, b) => a - b);
  return found;
}

function writesBySlot({ recording }: DebuggedTransaction): Map<string, RecordedStore[]> {
  const found = new Map<string, RecordedStore[]>();
  for (const store of recording.stores) {
    const address = recording.frames[store.frame]?.context.address ?? '';
    const key = slotKey(address, store.slot, store.isTransient);
    const known = found.get(key);
    if (known) known.push(store);
    else found.set(key, [store]);
  }
  return found;
}

export const writeText = ({ slot, before, after, isTransient }: RecordedStore): string =>
  `${isTransient ? 'transient ' : ''}slot ${toWord(slot)}: ${toWord(before)} -> ${toWord(after)}`;

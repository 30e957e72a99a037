import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { FindRequest } from '../../../server/api/recording-search';
import { emits, whyUnusable } from './check-breakpoints';
import { EVENT_FILTER, FAILURE_FILTERS, type FailureFilter } from './capabilities';
import { dataIdOf, readDataId, type Slot } from './data-id';
import { readHits } from './hit-counts';
import { placeOf } from './instructions';
import {
  conditionOf,
  lineBreakpoint,
  refused,
  type Breakpoint,
  type LineBreakpoint,
} from './line-breakpoint';
import type { Lines } from './lines';
import type { RecordedTransaction } from './recorded-transaction';
import type { Sources } from './sources';

/** Breakpoints as they were set: answers to the client, and what makes them effective. */
interface Setting {
  answers: Breakpoint[];
  apply: () => void;
}

/** The variable of a data breakpoint. */
export interface WatchedVariable {
  /** As the user calls it. */
  name: string;
  type: string;
  slot: Slot;
}

/** What a motion stops at. */
export type Conditions = Pick<
  FindRequest,
  'lines' | 'functions' | 'instructions' | 'slots' | 'events'
> & { failures: ReadonlySet<FailureFilter> };

/** The breakpoints of a session. Each kind is set as a whole. */
export class Breakpoints {
  #nextId = 1;
  readonly #lines = new Map<string, LineBreakpoint[]>();
  #functions: FindRequest['functions'] = [];
  #instructions: FindRequest['instructions'] = [];
  #slots: FindRequest['slots'] = [];
  /** Variables by the id of their place in storage, in lower case. */
  readonly #named = new Map<string, Pick<WatchedVariable, 'name' | 'type'>>();
  #events: FindRequest['events'] = [];
  #failures: ReadonlySet<FailureFilter> = new Set();
  /** Breakpoints that depend on what is known of the sources, by what they were set for. */
  readonly #settings = new Map<string, { set: () => Promise<Setting>; answers: Breakpoint[] }>();
  /** What is being set, in the order in which it came: the last one is to stay. Never rejects. */
  #setting: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly recorded: RecordedTransaction,
    private readonly sources: Sources,
    private readonly clientLines: Lines,
  ) {}

  get conditions(): Conditions {
    return {
      lines: [...this.#lines.values()].flat(),
      functions: this.#functions,
      instructions: this.#instructions,
      slots: this.#slots,
      events: this.#events,
      failures: this.#failures,
    };
  }

  /** Resolves when everything that the client has set is effective. */
  async settled(): Promise<void> {
    await this.#setting;
  }

  /** Notes the name that a user gives to a place in storage, and its type. */
  nameSlot(dataId: string, name: string, type: string): void {
    this.#named.set(dataId.toLowerCase(), { name, type });
  }

  /** The variable of a data breakpoint, as the user calls it; undefined for other breakpoints. */
  variableOf(ids: readonly number[]): WatchedVariable | undefined {
    const slot = this.#slots.find(({ id }) => ids.includes(id));
    const named = slot && this.#named.get(dataIdOf(slot).toLowerCase());
    return named && { ...named, slot };
  }

  setLines({
    source,
    breakpoints = [],
  }: DebugProtocol.SetBreakpointsArguments): Promise<Breakpoint[]> {
    const wanted = breakpoints.map((given) => ({ ...given, id: this.#nextId++ }));
    return this.#set(`line ${sourceKey(source)}`, async () => {
      const file = await this.sources.fileOf(source);
      const set: LineBreakpoint[] = [];
      const answers = await Promise.all(
        wanted.map(async (given) => {
          const found = await lineBreakpoint(this.recorded, this.clientLines, given, file);
          if ('verified' in found) return found;
          set.push(found);
          const { id, line } = found;
          return { id, verified: true, line: this.clientLines.toClient(line), source };
        }),
      );
      return { answers, apply: () => this.#lines.set(sourceKey(source), set) };
    });
  }

  setFunctions({
    breakpoints,
  }: DebugProtocol.SetFunctionBreakpointsArguments): Promise<Breakpoint[]> {
    const wanted = breakpoints.map((given) => ({ ...given, id: this.#nextId++ }));
    return this.#set('function', async () => {
      const called = wanted.length === 0 ? new Set() : await this.#calledFunctions();
      const set: FindRequest['functions'] = [];
      const answers = await Promise.all(
        wanted.map(async ({ id, name, condition, hitCondition }) => {
          const { hits, refusal } = readHits(hitCondition);
          if (refusal !== undefined) return refused(id, refusal);
          const plain = name.trim().replace(/\(.*$/, '');
          if (!called.has(plain)) {
            return refused(id, l10n.t('This transaction calls no function {0}.', plain));
          }
          const breakpoint = {
            id,
            name: plain,
            ...conditionOf(condition),
            ...(hits !== undefined && { hits }),
          };
          const reason = await whyUnusable(this.recorded, { functions: [breakpoint] });
          if (reason !== undefined) return refused(id, reason);
          set.push(breakpoint);
          return { id, verified: true };
        }),
      );
      return { answers, apply: () => (this.#functions = set) };
    });
  }

  /**
   * Sets breakpoints on lines and functions again, because more is known of the sources.
   * @returns those that changed, with their earlier ids
   */
  async renew(): Promise<Breakpoint[]> {
    const changed: Breakpoint[] = [];
    for (const [key, setting] of this.#settings) {
      const { answers, apply } = await setting.set();
      // The client set other breakpoints while these were resolved.
      if (this.#settings.get(key) !== setting) continue;
      apply();
      changed.push(
        ...answers.filter(({ verified, line, message }, index) => {
          const before = setting.answers[index];
          return (
            verified !== before?.verified || line !== before.line || message !== before.message
          );
        }),
      );
      setting.answers = answers;
    }
    return changed;
  }

  #set(key: string, set: () => Promise<Setting>): Promise<Breakpoint[]> {
    return this.#inOrder(async () => {
      const { answers, apply } = await set();
      apply();
      this.#settings.set(key, { set, answers });
      return answers;
    });
  }

  #inOrder(set: () => Promise<Breakpoint[]>): Promise<Breakpoint[]> {
    const answers = this.#setting.then(set);
    this.#setting = answers.catch(() => undefined);
    return answers;
  }

  setInstructions(args: DebugProtocol.SetInstructionBreakpointsArguments): Promise<Breakpoint[]> {
    return this.#inOrder(() => this.#setInstructions(args));
  }

  setData(args: DebugProtocol.SetDataBreakpointsArguments): Promise<Breakpoint[]> {
    return this.#inOrder(() => this.#setData(args));
  }

  setExceptions(args: DebugProtocol.SetExceptionBreakpointsArguments): Promise<Breakpoint[]> {
    return this.#inOrder(() => this.#setExceptions(args));
  }

  async #setInstructions({
    breakpoints,
  }: DebugProtocol.SetInstructionBreakpointsArguments): Promise<Breakpoint[]> {
    const set: FindRequest['instructions'] = [];
    const answers = breakpoints.map(
      async ({ instructionReference, offset, condition, hitCondition }) => {
        const { hits, refusal } = readHits(hitCondition);
        if (refusal !== undefined) return this.#refused(refusal);
        const place = placeOf(instructionReference, offset);
        if (place === undefined || !this.recorded.recording.contracts[place.contract]) {
          return this.#refused(l10n.t('There is no instruction at this address.'));
        }
        const breakpoint = {
          id: 0,
          ...place,
          ...conditionOf(condition),
          ...(hits !== undefined && { hits }),
        };
        const reason = await whyUnusable(this.recorded, { instructions: [breakpoint] });
        if (reason !== undefined) return this.#refused(reason);
        const accepted = this.#accepted();
        set.push({ ...breakpoint, id: accepted.id });
        return { ...accepted, instructionReference, ...(offset !== undefined && { offset }) };
      },
    );
    const all = await Promise.all(answers);
    this.#instructions = set;
    return all;
  }

  async #setData({
    breakpoints,
  }: DebugProtocol.SetDataBreakpointsArguments): Promise<Breakpoint[]> {
    const set: FindRequest['slots'] = [];
    const answers = breakpoints.map(async ({ dataId, accessType, condition, hitCondition }) => {
      const place = readDataId(dataId);
      if (place === undefined) {
        return this.#refused(l10n.t('The variable is not in the storage of a contract.'));
      }
      const { hits, refusal } = readHits(hitCondition);
      if (refusal !== undefined) return this.#refused(refusal);
      const breakpoint: FindRequest['slots'][number] = {
        id: 0,
        ...place,
        access: accessType ?? 'write',
        ...conditionOf(condition),
        ...(hits !== undefined && { hits }),
      };
      const reason = await whyUnusable(this.recorded, { slots: [breakpoint] });
      if (reason !== undefined) return this.#refused(reason);
      const accepted = this.#accepted();
      set.push({ ...breakpoint, id: accepted.id });
      return accepted;
    });
    const all = await Promise.all(answers);
    this.#slots = set;
    return all;
  }

  async #setExceptions({
    filters,
    filterOptions = [],
  }: DebugProtocol.SetExceptionBreakpointsArguments): Promise<Breakpoint[]> {
    const wanted = [...filters.map((filterId) => ({ filterId, condition: '' })), ...filterOptions];
    const failures = new Set<FailureFilter>();
    const events: FindRequest['events'] = [];
    const answers = wanted.map(async ({ filterId, condition = '' }) => {
      if (filterId === EVENT_FILTER) return this.#setEvents(condition, events);
      const filter = FAILURE_FILTERS.find((one) => one === filterId);
      if (filter === undefined) {
        const known = [...FAILURE_FILTERS, EVENT_FILTER].join(', ');
        return this.#refused(l10n.t('There is no filter {0}; accepted: {1}.', filterId, known));
      }
      if (condition.trim() !== '') {
        return this.#refused(l10n.t('The filter {0} has no condition.', filterId));
      }
      failures.add(filter);
      return this.#accepted();
    });
    const all = await Promise.all(answers);
    this.#failures = failures;
    this.#events = events;
    return all;
  }

  /** @param condition names of events, separated by commas @param set receives them */
  async #setEvents(condition: string, set: FindRequest['events']): Promise<Breakpoint> {
    const given = condition.split(',').map((name) => name.trim());
    const names = given.filter((name) => name !== '');
    const wrong = names.find((name) => !EVENT_NAME.test(name));
    if (wrong !== undefined) {
      return this.#refused(
        l10n.t('{0} is not a name of an event; accepted: names separated by commas.', wrong),
      );
    }
    const isEmitted = await Promise.all(names.map((name) => emits(this.recorded, name)));
    if (names.length > 0 && !isEmitted.includes(true)) {
      return this.#refused(l10n.t('This transaction emits no event {0}.', names.join(', ')));
    }
    const accepted = this.#accepted();
    set.push(...(names.length === 0 ? ['*'] : names).map((name) => ({ id: accepted.id, name })));
    return accepted;
  }

  /** Names of the called functions, with and without that of the contract. */
  async #calledFunctions(): Promise<Set<string>> {
    const names = new Set<string>();
    for await (const { calls } of this.recorded.calls()) {
      for (const { function: name, contract, declaringContract } of calls) {
        if (name === '') continue;
        names.add(name);
        const code = contract === null ? undefined : this.recorded.recording.contracts[contract];
        names.add(`${code?.name ?? ''}.${name}`);
        if (declaringContract !== undefined) names.add(`${declaringContract}.${name}`);
      }
    }
    return names;
  }

  #accepted(): Breakpoint {
    return { id: this.#nextId++, verified: true };
  }

  #refused(message: string): Breakpoint {
    return refused(this.#nextId++, message);
  }
}

/** Files without a path on the client have references; those of one name share their path. */
const sourceKey = ({ path, sourceReference = 0 }: DebugProtocol.Source): string =>
  sourceReference > 0 ? String(sourceReference) : (path ?? '');

const EVENT_NAME = /^(\*|[A-Za-z_$][\w$]{0,499})$/;

import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { PlacedBreakpoint } from '../../../server/api/case-content';
import type { FindRequest } from '../../../server/api/recording-search';
import type { KeptBreakpoints } from '../../model/debugging';
import { emits, whyUnusable } from './check-breakpoints';
import { EVENT_FILTER, FAILURE_FILTERS, type FailureFilter } from './capabilities';
import { readHits } from './hit-counts';
import { keptIndex, NONE_KEPT } from './kept-breakpoints';
import {
  conditionOf,
  lineBreakpoint,
  refused,
  type Breakpoint,
  type LineBreakpoint,
} from './line-breakpoint';
import type { Lines } from './lines';
import { PlaceBreakpoints } from './place-breakpoints';
import type { RecordedTransaction } from './recorded-transaction';
import type { Sources } from './sources';

/** Breakpoints as they were set: answers to the client, and what makes them effective. */
interface Setting {
  answers: Breakpoint[];
  apply: () => void;
}

/** What a motion stops at. */
export type Conditions = Pick<
  FindRequest,
  'lines' | 'functions' | 'instructions' | 'slots' | 'events'
> & { failures: ReadonlySet<FailureFilter> };

/** The breakpoints of a session. Each kind is set as a whole. */
export class Breakpoints {
  #nextId = 1;
  readonly places: PlaceBreakpoints;
  readonly #lines = new Map<string, LineBreakpoint[]>();
  #functions: FindRequest['functions'] = [];
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
    /** Of the configuration. */
    kept: KeptBreakpoints = NONE_KEPT,
  ) {
    this.places = new PlaceBreakpoints(recorded, kept, () => this.#nextId++);
  }

  get conditions(): Conditions {
    return {
      lines: [...this.#lines.values()].flat(),
      functions: this.#functions,
      ...this.places.conditions,
      events: this.#events,
      failures: this.#failures,
    };
  }

  /** Resolves when everything that the client has set is effective. */
  async settled(): Promise<void> {
    await this.#setting;
  }

  /** Breakpoints on data and instructions, as a case keeps them. */
  async placed(): Promise<PlacedBreakpoint[]> {
    await this.settled();
    return this.places.placed();
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
    return this.#inOrder(() => this.places.setInstructions(args));
  }

  setData(args: DebugProtocol.SetDataBreakpointsArguments): Promise<Breakpoint[]> {
    return this.#inOrder(() => this.places.setData(args));
  }

  setExceptions(args: DebugProtocol.SetExceptionBreakpointsArguments): Promise<Breakpoint[]> {
    return this.#inOrder(() => this.#setExceptions(args));
  }

  async #setExceptions({
    filters,
    filterOptions = [],
  }: DebugProtocol.SetExceptionBreakpointsArguments): Promise<Breakpoint[]> {
    const wanted = [...filters.map((filterId) => ({ filterId, condition: '' })), ...filterOptions];
    const failures = new Set<FailureFilter>();
    const indices = wanted.flatMap(({ filterId }) => keptIndex(filterId) ?? []);
    const ofCase = await this.places.setOfCase(indices);
    const events: FindRequest['events'] = [];
    const answers = wanted.map(async ({ filterId, condition = '' }) => {
      if (filterId === EVENT_FILTER) return this.#setEvents(condition, events);
      const answer = ofCase.get(keptIndex(filterId) ?? -1);
      if (answer) return answer;
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

import * as l10n from '@vscode/l10n';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { FindRequest } from '../../../server/api/recording-search';
import { emits, whyUnusable } from './check-breakpoints';
import { EVENT_FILTER, FAILURE_FILTERS, type FailureFilter } from './capabilities';
import { dataIdOf, readDataId } from './data-id';
import { readHits } from './hit-counts';
import { placeOf } from './instructions';
import type { Lines } from './lines';
import type { RecordedTransaction } from './recorded-transaction';
import { stopLine } from './source-lines';
import type { Sources } from './sources';

type Breakpoint = DebugProtocol.Breakpoint & { id: number };
type LineBreakpoint = FindRequest['lines'][number];
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
  /** Names of variables by the id of their place in storage, in lower case. */
  readonly #names = new Map<string, string>();
  #events: FindRequest['events'] = [];
  #failures: ReadonlySet<FailureFilter> = new Set();

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

  /** Notes the name that a user gives to a place in storage. */
  nameSlot(dataId: string, name: string): void {
    this.#names.set(dataId.toLowerCase(), name);
  }

  /** The variable of a data breakpoint, as the user calls it; undefined for other breakpoints. */
  variableOf(ids: readonly number[]): string | undefined {
    const slot = this.#slots.find(({ id }) => ids.includes(id));
    const dataId = slot && dataIdOf(slot);
    return dataId && this.#names.get(dataId.toLowerCase());
  }

  async setLines({
    source,
    breakpoints = [],
  }: DebugProtocol.SetBreakpointsArguments): Promise<Breakpoint[]> {
    const { contracts } = this.recorded.recording;
    const set: LineBreakpoint[] = [];
    const file = await this.sources.fileOf(source);
    const answers = await Promise.all(
      breakpoints.map(async (wanted) => {
        if (file === undefined) {
          return this.#refused(
            l10n.t(
              'This transaction executes no code of this file, or the file is not the text that was compiled.',
            ),
          );
        }
        const { hits, refusal } = readHits(wanted.hitCondition);
        if (refusal !== undefined) return this.#refused(refusal);
        const { hasLines = false, unavailable = '' } = contracts[file.contract] ?? {};
        if (!hasLines) {
          return this.#refused(l10n.t('The lines of this file are not known: {0}.', unavailable));
        }
        const executed = await this.recorded.lines(file);
        const { content } = await this.recorded.file(file.contract, file.file);
        const line = stopLine(executed, content, this.clientLines.fromClient(wanted.line));
        if (line === undefined) {
          return this.#refused(l10n.t('This transaction does not execute this line.'));
        }
        const { logMessage: message } = wanted;
        const breakpoint = {
          ...{ id: 0, ...file, line, ...conditionOf(wanted.condition) },
          ...(hits !== undefined && { hits }),
          ...(message !== undefined && { message }),
        };
        const reason = await whyUnusable(this.recorded, { lines: [breakpoint] });
        if (reason !== undefined) return this.#refused(reason);
        const accepted = this.#accepted();
        set.push({ ...breakpoint, id: accepted.id });
        return { ...accepted, line: this.clientLines.toClient(line), source };
      }),
    );
    this.#lines.set(sourceKey(source), set);
    return answers;
  }

  async setFunctions({
    breakpoints,
  }: DebugProtocol.SetFunctionBreakpointsArguments): Promise<Breakpoint[]> {
    const called = breakpoints.length === 0 ? new Set() : await this.#calledFunctions();
    const set: FindRequest['functions'] = [];
    const answers = breakpoints.map(async ({ name, condition, hitCondition }) => {
      const { hits, refusal } = readHits(hitCondition);
      if (refusal !== undefined) return this.#refused(refusal);
      const wanted = name.trim().replace(/\(.*$/, '');
      if (!called.has(wanted)) {
        return this.#refused(l10n.t('This transaction calls no function {0}.', wanted));
      }
      const breakpoint = {
        ...{ id: 0, name: wanted, ...conditionOf(condition) },
        ...(hits !== undefined && { hits }),
      };
      const reason = await whyUnusable(this.recorded, { functions: [breakpoint] });
      if (reason !== undefined) return this.#refused(reason);
      const accepted = this.#accepted();
      set.push({ ...breakpoint, id: accepted.id });
      return accepted;
    });
    const all = await Promise.all(answers);
    this.#functions = set;
    return all;
  }

  async setInstructions({
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
          ...{ id: 0, ...place, ...conditionOf(condition) },
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

  async setData({ breakpoints }: DebugProtocol.SetDataBreakpointsArguments): Promise<Breakpoint[]> {
    const set: FindRequest['slots'] = [];
    const answers = breakpoints.map(async ({ dataId, accessType, condition, hitCondition }) => {
      const place = readDataId(dataId);
      if (place === undefined) {
        return this.#refused(l10n.t('The variable is not in the storage of a contract.'));
      }
      const { hits, refusal } = readHits(hitCondition);
      if (refusal !== undefined) return this.#refused(refusal);
      const breakpoint: FindRequest['slots'][number] = {
        ...{ id: 0, ...place, access: accessType ?? 'write', ...conditionOf(condition) },
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

  async setExceptions({
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
    return { id: this.#nextId++, verified: false, message };
  }
}

/** Files without a path on the client have references; those of one name share their path. */
const sourceKey = ({ path, sourceReference = 0 }: DebugProtocol.Source): string =>
  sourceReference > 0 ? String(sourceReference) : (path ?? '');

const EVENT_NAME = /^(\*|[A-Za-z_$][\w$]{0,499})$/;

const conditionOf = (condition: string | undefined): { condition?: string } =>
  condition === undefined || condition.trim() === '' ? {} : { condition };

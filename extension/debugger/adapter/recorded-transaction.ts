import type { ApiClient } from '../../../server/api/client';
import type {
  Disassembly,
  ExecutedLines,
  RecordedCall,
  RecordedStep,
  Recording,
  Variable,
  Variables,
} from '../../../server/api/recording';
import type { ConsoleLines } from '../../../server/api/recording-console';
import type { FindRequest, Found } from '../../../server/api/recording-search';
import type { Writers } from '../../../server/api/recording-writers';
import type { RouteData, RouteRequest } from '../../../server/api/routes';
import { timeoutSignal } from '../../../server/api/timeout-signal';
import { AddressNames } from './address-names';

export type ExecutedLine = ExecutedLines['lines'][number];
export type Instruction = Disassembly['instructions'][number];
export type BytesOf = NonNullable<RouteRequest<'getRecordedBytes'>['query']['of']>;
export type VariableScope = NonNullable<RouteRequest<'getRecordedVariables'>['query']['scope']>;

/** Of what the writers are asked for. */
export type WritersQuery = Omit<RouteRequest<'getWriters'>['query'], 'block' | 'build'>;

/** A source file of a code in a recording. */
export interface RecordedFile {
  /** Index of the code. */
  contract: number;
  /** The compiler's name of it. */
  file: string;
}

/** Members of a variable that are wanted. */
export interface VariableQuery {
  scope: VariableScope;
  /** Call of the call stack. */
  call: number;
  reference?: string | undefined;
  start?: number | undefined;
  count?: number | undefined;
}

const CALLS_A_PAGE = 100;
const INSTRUCTIONS_A_PAGE = 2_000;
const KEPT_STEPS = 200;
/** A session waits so long for names, in milliseconds. */
const NAMES_MS = 3_000;

/** A recording in the service. What does not change is asked for once, and again after more became known of the sources. */
export class RecordedTransaction {
  readonly #target: { chain: string; transaction: string };
  /** Keeps to the block that was recorded, if it is replaced, and to the build. */
  readonly #inBlock: { block?: string; build?: Recording['build'] };
  readonly #steps = new Map<number, Promise<RecordedStep>>();
  readonly #callPages = new Map<number, Promise<RouteData<'getRecordedCalls'>>>();
  readonly #lines = new Map<string, Promise<Map<number, ExecutedLine>>>();
  readonly #files = new Map<string, Promise<RouteData<'getRecordedFile'>>>();
  #names = new AddressNames();
  readonly #console = new Map<'lines', Promise<ConsoleLines>>();
  readonly #code = new Map<number, Promise<Instruction[]>>();

  /** @param signal ends all requests */
  constructor(
    private readonly client: ApiClient,
    private known: Recording,
    private readonly signal: AbortSignal,
  ) {
    const recording = known;
    this.#target = { chain: recording.chain, transaction: recording.transaction };
    const { blockHash: block, build } = recording;
    this.#inBlock = {
      ...(block !== undefined && { block }),
      ...(build === 'unoptimized' && { build }),
    };
  }

  get recording(): Recording {
    return this.known;
  }

  /** Names of addresses; none before `loadNames`. */
  get names(): AddressNames {
    return this.#names;
  }

  /** Asks for names of addresses. What is not answered in time is shown by its address. */
  async loadNames(): Promise<this> {
    const input = { params: this.#target, query: this.#inBlock };
    const signal = AbortSignal.any([this.signal, timeoutSignal(NAMES_MS)]);
    const found = await this.client
      .call('getRecordedNames', input, { signal })
      .catch(() => undefined);
    if (found) this.#names = new AddressNames(found);
    return this;
  }

  /** Asks for what a step has now. @returns whether more is known of the sources than before, and all else is asked for again */
  async renew(step: number): Promise<boolean> {
    this.#steps.delete(step);
    const { revision } = await this.step(step);
    if (revision === this.known.revision) return false;
    const { build } = this.known;
    const input = { params: this.#target, query: { build } };
    const asked = this.client.call('getRecording', input, { signal: this.signal });
    const found = await asked.catch(() => undefined); // the transaction may be in no block
    // That of another block is another execution.
    const isSame = found && found.blockHash === this.known.blockHash && found.build === build;
    this.known = isSame ? found : { ...this.known, revision };
    await this.loadNames();
    this.#console.clear();
    for (const kept of [this.#steps, this.#callPages, this.#lines, this.#files, this.#code]) {
      kept.clear();
    }
    return true;
  }

  /** Whether the transaction is still in its block; an unsent one is in none. */
  async block(): Promise<RouteData<'checkRecordedBlock'>> {
    const { block } = this.#inBlock;
    if (block === undefined) return { isCurrent: true };
    const params = { ...this.#target, block };
    return this.client.call('checkRecordedBlock', { params }, { signal: this.signal });
  }

  step(step: number): Promise<RecordedStep> {
    if (this.#steps.size > KEPT_STEPS) this.#steps.clear();
    return kept(this.#steps, step, () =>
      this.client.call(
        'getRecordedStep',
        { params: this.#at(step), query: this.#inBlock },
        { signal: this.signal },
      ),
    );
  }

  async call(call: number): Promise<RecordedCall | undefined> {
    const page = await this.#callPage(Math.floor(call / CALLS_A_PAGE));
    return page.calls.find((one) => one.call === call);
  }

  /** What a call returned; undefined where that is not known. */
  async resultsOf(index: number): Promise<RecordedCall['results']> {
    const query = { ...this.#inBlock, start: String(index), count: '1', results: 'true' as const };
    return (await this.#callOf(query))?.results;
  }

  /** Node of the external call that a call of the executed build is in. */
  async executedNode(index: number): Promise<number | undefined> {
    const query = { ...this.#inBlock, build: 'executed' as const };
    for (let at: number | null = index; at !== null;) {
      const call: RecordedCall | undefined = await this.#callOf({
        ...query,
        start: String(at),
        count: '1',
      });
      if (call === undefined || call.nodeId !== undefined) return call?.nodeId;
      at = call.parent;
    }
    return undefined;
  }

  async #callOf(
    query: RouteRequest<'getRecordedCalls'>['query'],
  ): Promise<RecordedCall | undefined> {
    const input = { params: this.#target, query };
    const { calls } = await this.client.call('getRecordedCalls', input, { signal: this.signal });
    return calls[0];
  }

  /** Pages of calls and their events, in order of execution. */
  async *calls(): AsyncGenerator<RouteData<'getRecordedCalls'>> {
    for (let page = 0, seen = 0; ; page++) {
      const { calls, events, total } = await this.#callPage(page);
      yield { calls, events, total };
      seen += calls.length;
      if (calls.length === 0 || seen >= total) return;
    }
  }

  /** The calls that begin at a step or later, in order of execution. */
  async *callsFrom(step: number): AsyncGenerator<RecordedCall> {
    const { total } = await this.#callPage(0);
    let [low, high] = [0, Math.max(0, Math.ceil(total / CALLS_A_PAGE) - 1)];
    // The last page that begins before the step.
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [first] = (await this.#callPage(middle)).calls;
      if (first !== undefined && first.firstStep < step) low = middle;
      else high = middle - 1;
    }
    for (let page = low; page * CALLS_A_PAGE < total; page++) {
      const { calls } = await this.#callPage(page);
      for (const call of calls) if (call.firstStep >= step) yield call;
    }
  }

  find(request: FindRequest, signal = this.signal): Promise<Found> {
    const either = AbortSignal.any([signal, this.signal]);
    const input = { params: this.#target, query: this.#inBlock, body: request };
    return this.client.call('findInRecording', input, { signal: either });
  }

  writers(query: WritersQuery): Promise<Writers> {
    const input = { params: this.#target, query: { ...this.#inBlock, ...query } };
    return this.client.call('getWriters', input, { signal: this.signal });
  }

  /** What the code logs by `console.log`. */
  consoleLines(): Promise<ConsoleLines> {
    const input = { params: this.#target, query: this.#inBlock };
    const ask = () => this.client.call('getConsoleLines', input, { signal: this.signal });
    return kept(this.#console, 'lines', ask);
  }

  variables(step: number, query: VariableQuery): Promise<Variables> {
    const { scope, call, reference, start, count } = query;
    return this.client.call(
      'getRecordedVariables',
      {
        params: this.#at(step),
        query: {
          ...this.#inBlock,
          scope,
          call: String(call),
          ...(reference !== undefined && { reference }),
          ...(start !== undefined && { start: String(start) }),
          ...(count !== undefined && { count: String(count) }),
        },
      },
      { signal: this.signal },
    );
  }

  evaluate(step: number, expression: string, call?: number): Promise<Variable> {
    const body = { expression, ...(call !== undefined && { call }) };
    const input = { params: this.#at(step), query: this.#inBlock, body };
    return this.client.call('evaluateInRecording', input, { signal: this.signal });
  }

  bytes(
    step: number,
    { of, call, offset, length }: { of: BytesOf; call: number; offset: number; length: number },
  ): Promise<RouteData<'getRecordedBytes'>> {
    const query = {
      ...this.#inBlock,
      of,
      call: String(call),
      offset: String(offset),
      length: String(length),
    };
    const params = this.#at(step);
    return this.client.call('getRecordedBytes', { params, query }, { signal: this.signal });
  }

  /** Executed lines of a file by their number. */
  lines({ contract, file }: RecordedFile): Promise<Map<number, ExecutedLine>> {
    return kept(this.#lines, `${contract} ${file}`, async () => {
      const { lines } = await this.client.call(
        'getExecutedLines',
        { params: this.#target, query: { ...this.#inBlock, file, contract: String(contract) } },
        { signal: this.signal },
      );
      return new Map(lines.map((line) => [line.line, line]));
    });
  }

  /** An executed line of a file, with the steps around a step; undefined if it is not executed. */
  async lineNear(
    { contract, file }: RecordedFile,
    line: number,
    near: number,
  ): Promise<ExecutedLine | undefined> {
    const place = { file, contract: String(contract), line: String(line), near: String(near) };
    const { lines } = await this.client.call(
      'getExecutedLines',
      { params: this.#target, query: { ...this.#inBlock, ...place } },
      { signal: this.signal },
    );
    return lines[0];
  }

  /** A source file as compiled. */
  file(contract: number, file: string): Promise<RouteData<'getRecordedFile'>> {
    return kept(this.#files, `${contract} ${file}`, () =>
      this.client.call(
        'getRecordedFile',
        {
          params: { ...this.#target, contract: String(contract) },
          query: { ...this.#inBlock, file },
        },
        { signal: this.signal },
      ),
    );
  }

  /** All instructions of a code. */
  instructions(contract: number): Promise<Instruction[]> {
    return kept(this.#code, contract, async () => {
      const all: Instruction[] = [];
      for (let pc = 0; ;) {
        const { instructions, total } = await this.client.call(
          'getDisassembly',
          {
            params: { ...this.#target, contract: String(contract) },
            query: { ...this.#inBlock, pc: String(pc), count: String(INSTRUCTIONS_A_PAGE) },
          },
          { signal: this.signal },
        );
        all.push(...instructions);
        const last = instructions.at(-1);
        if (last === undefined || all.length >= total) return all;
        pc = last.pc + (last.bytes.length - 2) / 2;
      }
    });
  }

  #at(step: number): { chain: string; transaction: string; step: string } {
    return { ...this.#target, step: String(step) };
  }

  #callPage(page: number): Promise<RouteData<'getRecordedCalls'>> {
    const start = String(page * CALLS_A_PAGE);
    const query = { ...this.#inBlock, start, count: String(CALLS_A_PAGE) };
    return kept(this.#callPages, page, () =>
      this.client.call(
        'getRecordedCalls',
        { params: this.#target, query },
        { signal: this.signal },
      ),
    );
  }
}

/** The answer to an earlier question, or a new one. A failed answer is not kept. */
function kept<Key, Value>(
  answers: Map<Key, Promise<Value>>,
  key: Key,
  ask: () => Promise<Value>,
): Promise<Value> {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const asked = ask();
  answers.set(key, asked);
  asked.catch(() => answers.delete(key));
  return asked;
}

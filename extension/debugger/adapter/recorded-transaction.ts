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
import type { FindRequest, Found } from '../../../server/api/recording-search';
import type { RouteData, RouteRequest } from '../../../server/api/routes';

export type ExecutedLine = ExecutedLines['lines'][number];
export type Instruction = Disassembly['instructions'][number];
export type BytesOf = NonNullable<RouteRequest<'getRecordedBytes'>['query']['of']>;
export type VariableScope = NonNullable<RouteRequest<'getRecordedVariables'>['query']['scope']>;

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

/** A recording in the service. What does not change is asked for once. */
export class RecordedTransaction {
  readonly #target: { chain: string; transaction: string };
  readonly #steps = new Map<number, Promise<RecordedStep>>();
  readonly #callPages = new Map<number, Promise<RouteData<'getRecordedCalls'>>>();
  readonly #lines = new Map<string, Promise<Map<number, ExecutedLine>>>();
  readonly #files = new Map<string, Promise<RouteData<'getRecordedFile'>>>();
  readonly #code = new Map<number, Promise<Instruction[]>>();

  /** @param signal ends all requests */
  constructor(
    private readonly client: ApiClient,
    readonly recording: Recording,
    private readonly signal: AbortSignal,
  ) {
    this.#target = { chain: recording.chain, transaction: recording.transaction };
  }

  step(step: number): Promise<RecordedStep> {
    if (this.#steps.size > KEPT_STEPS) this.#steps.clear();
    return kept(this.#steps, step, () =>
      this.client.call('getRecordedStep', { params: this.#at(step) }, { signal: this.signal }),
    );
  }

  async call(call: number): Promise<RecordedCall | undefined> {
    const page = await this.#callPage(Math.floor(call / CALLS_A_PAGE));
    return page.calls.find((one) => one.call === call);
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

  find(request: FindRequest, signal: AbortSignal): Promise<Found> {
    const either = AbortSignal.any([signal, this.signal]);
    const { params } = { params: this.#target };
    return this.client.call('findInRecording', { params, body: request }, { signal: either });
  }

  variables(step: number, query: VariableQuery): Promise<Variables> {
    const { scope, call, reference, start, count } = query;
    return this.client.call(
      'getRecordedVariables',
      {
        params: this.#at(step),
        query: {
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
    const params = this.#at(step);
    return this.client.call('evaluateInRecording', { params, body }, { signal: this.signal });
  }

  bytes(
    step: number,
    { of, call, offset, length }: { of: BytesOf; call: number; offset: number; length: number },
  ): Promise<RouteData<'getRecordedBytes'>> {
    const query = {
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
        { params: this.#target, query: { file, contract: String(contract) } },
        { signal: this.signal },
      );
      return new Map(lines.map((line) => [line.line, line]));
    });
  }

  /** A source file as compiled. */
  file(contract: number, file: string): Promise<RouteData<'getRecordedFile'>> {
    return kept(this.#files, `${contract} ${file}`, () =>
      this.client.call(
        'getRecordedFile',
        { params: { ...this.#target, contract: String(contract) }, query: { file } },
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
            query: { pc: String(pc), count: String(INSTRUCTIONS_A_PAGE) },
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
    const query = { start: String(page * CALLS_A_PAGE), count: String(CALLS_A_PAGE) };
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

import assert from 'node:assert/strict';
import type { RecordedStep, Variable } from '../../../server/api/recording';
import type { FindRequest, Found } from '../../../server/api/recording-search';
import { toQuantity, toWord } from '../../../server/evm/forms/quantity';
import { SEARCH, type Debugger } from './debugger';
import type { Breakpoint, Expected, Move, ScriptStep, Seen } from './script';

/** Goes through a script, then through the whole transaction forwards and backwards. */
export async function runScript(session: Debugger, script: readonly ScriptStep[]): Promise<void> {
  const run = new ScriptRun(session);
  for (const [index, step] of script.entries()) await run.take(step, index);
  await run.walk();
}

class ScriptRun {
  #step: number;

  constructor(private readonly session: Debugger) {
    this.#step = session.recording.entry;
  }

  async take(step: ScriptStep, index: number): Promise<void> {
    const found = await this.#move(step);
    this.#step = found.step;
    const line = 'goto' in step ? step.goto : undefined;
    const what = `step ${index + 1} of the script: ${JSON.stringify(step).slice(0, 60)}`;
    await this.#check({ ...(line !== undefined && { at: line }), ...step }, found.text, what);
  }

  /** All stops forwards, or all instructions where no line is known, and the same ones backwards: from the ends, and from where the script stopped. */
  async walk(): Promise<void> {
    const hasLines = this.session.recording.contracts.some((one) => one.hasLines);
    const granularities = hasLines ? (['line', 'statement'] as const) : (['instruction'] as const);
    for (const granularity of granularities) await this.#walkBy(granularity);
  }

  async #walkBy(granularity: FindRequest['granularity']): Promise<void> {
    const { entry, steps } = this.session.recording;
    const walk = (from: number, direction: FindRequest['direction']): Promise<number[]> =>
      this.#stops(from, { direction, granularity });
    const all = [entry, ...(await walk(entry, 'forwards'))];
    const back = (await walk(steps - 1, 'backwards')).reverse();
    assert.deepEqual(
      back,
      all.filter((step) => step < steps - 1),
      `backwards by ${granularity}`,
    );
    const before = (await walk(this.#step, 'backwards')).reverse();
    const after = await walk(this.#step, 'forwards');
    const here = all.includes(this.#step) ? [this.#step] : [];
    assert.deepEqual([...before, ...here, ...after], all, `both ways from here by ${granularity}`);
  }

  async #stops(
    from: number,
    way: Pick<FindRequest, 'direction' | 'granularity'>,
  ): Promise<number[]> {
    const found: number[] = [];
    for (;;) {
      const { step, reason } = await this.#find({ from: found.at(-1) ?? from, ...way });
      if (reason !== 'step') return found;
      found.push(step);
    }
  }

  #find(search: Partial<FindRequest>): Promise<Found> {
    return this.session.find({ ...SEARCH, from: this.#step, ...search });
  }

  async #move(move: Move): Promise<Found> {
    if ('goto' in move) {
      const [file, line] = lineOf(move.goto);
      const lines = [{ id: 1, file, line, hits: move.time ?? 1 }];
      const found = await this.#find({ from: 0, mode: 'continue', lines });
      assert.equal(found.reason, 'line', `${move.goto} is not entered so often`);
      return found;
    }
    if ('continue' in move) return this.#run(move.continue, 'forwards');
    if ('reverse' in move) return this.#run(move.reverse, 'backwards');
    const [name, count] = Object.entries(move).find(([key]) => key in STEPS)!;
    let found: Found | undefined;
    for (let n = 0; n < count; n++) {
      found = await this.#find(STEPS[name]!);
      this.#step = found.step;
    }
    return found!;
  }

  async #run(to: Breakpoint | string, direction: FindRequest['direction']): Promise<Found> {
    const wanted = typeof to === 'string' ? {} : await this.#searchOf(to);
    const found = await this.#find({ direction, mode: 'continue', ...wanted });
    const isEdge = found.reason === 'end' || found.reason === 'entry';
    assert.equal(isEdge, typeof to === 'string', `${JSON.stringify(to)} found ${found.reason}`);
    return found;
  }

  async #searchOf(to: Breakpoint): Promise<Partial<FindRequest>> {
    if ('line' in to) {
      const [file, line] = lineOf(to.line);
      return { lines: [{ id: 1, file, line, condition: to.condition }] };
    }
    if ('function' in to) return { functions: [{ id: 1, name: to.function }] };
    if ('event' in to) return { events: [{ id: 1, name: to.event }] };
    if ('slot' in to) {
      const [address] = [...this.session.names].find(([, name]) => name === to.of)!;
      const slot = toWord(BigInt(to.slot));
      return { slots: [{ id: 1, address: address as `0x${string}`, slot, access: 'write' }] };
    }
    if ('failure' in to) return { failures: to.failure };
    const expression = 'write' in to ? to.write : to.access;
    const { address, slot, offset, length } = await this.#evaluate(expression);
    const access = 'write' in to ? 'write' : 'readWrite';
    const place = { address: address as `0x${string}`, slot: slot!, offset, length };
    return { slots: [{ id: 1, ...place, access }] };
  }

  /** Texts with the names of scripts in place of addresses. */
  #named(text: string): string {
    return text.replace(/0x[0-9a-f]{40}(?![0-9a-f])/gi, (address) => {
      return this.session.names.get(address.toLowerCase()) ?? address;
    });
  }

  #evaluate(expression: string, call?: number): Promise<Variable> {
    let text = expression;
    for (const [address, name] of this.session.names) {
      text = text.replace(new RegExp(`\\[${name}\\]`, 'g'), `[${address}]`);
    }
    return this.session.evaluate(this.#step, {
      expression: text,
      ...(call !== undefined && { call }),
    });
  }

  async #check(expected: Expected, says: string, what: string): Promise<void> {
    const at = await this.session.step(this.#step);
    const [top] = at.callStack;
    const found: Expected = {
      ...(expected.at !== undefined && {
        at: top?.place ? `${top.place.file}:${top.place.startLine}` : 'nowhere',
      }),
      ...(expected.stack && { stack: this.#stack(at) }),
      ...(expected.says !== undefined && { says: this.#named(says) }),
      ...(expected.op !== undefined && { op: at.op }),
      ...(expected.words && { words: at.stack }),
      ...(await this.#seen(expected)),
    };
    if (expected.callers) {
      const calls = at.callStack.slice(1, 1 + expected.callers.length);
      found.callers = await Promise.all(
        calls.map(({ call }, index) => this.#seen(expected.callers![index]!, call)),
      );
    }
    const keys = Object.keys(found);
    const wanted = Object.entries(expected).filter(([key]) => keys.includes(key));
    assert.deepEqual(found, Object.fromEntries(wanted), what);
  }

  #stack({ callStack }: RecordedStep): string[] {
    const { recording, calls } = this.session;
    return callStack.map((entry) => {
      const code = recording.contracts[entry.contract]!;
      const contract = code.name === '' ? this.#named(entry.address) : code.name;
      const { kind, declaringContract } = entry;
      const owner = (kind === 'internal' ? declaringContract : undefined) ?? contract;
      const name = [owner, entry.function].filter((part) => part !== '').join('.');
      const known = calls.calls[entry.call]?.arguments;
      const list = known
        ?.map((one) => `${one.name && `${one.name}: `}${this.#valueOf(one)}`)
        .join(', ');
      const called = list === undefined ? name : `${name}(${list})`;
      const isDelegate = entry.operation === 'DELEGATECALL';
      const where = isDelegate ? ` in the storage of ${this.#named(entry.address)}` : '';
      const of = owner === contract ? '' : ` of ${contract}`;
      return `${called}${of}${where}:${entry.place?.startLine ?? '?'}`;
    });
  }

  #valueOf({ value, unavailable }: Variable): string {
    return this.#named(unavailable === undefined ? value : `unavailable, because ${unavailable}`);
  }

  /** Slots and their values. */
  async #storage(at: { call: number } | false): Promise<Record<string, string>> {
    const { variables } = await this.session.variables(this.#step, { scope: 'storage', ...at });
    return Object.fromEntries(
      variables.map(({ name, value }) => [toQuantity(BigInt(name)), toQuantity(BigInt(value))]),
    );
  }

  async #seen(expected: Seen, call?: number): Promise<Seen> {
    const at = call !== undefined && { call };
    const list = async (scope: 'locals' | 'state'): Promise<Record<string, string> | string> => {
      const { variables, unavailable } = await this.session.variables(this.#step, { scope, ...at });
      if (variables.length === 0 && unavailable !== undefined) {
        return `unavailable, because ${unavailable}`;
      }
      return this.#valuesOf(variables);
    };
    type Entry = readonly [string, string | Record<string, string>];
    const values = await Promise.all<Entry>(
      Object.entries(expected.values ?? {}).map(async ([expression, wanted]) => {
        const one = await this.#evaluate(expression, call);
        const { reference } = one;
        if (typeof wanted === 'string' || reference === undefined) {
          return [expression, this.#valueOf(one)] as const;
        }
        const request = { scope: 'locals', reference, ...at } as const;
        const { variables } = await this.session.variables(this.#step, request);
        return [expression, this.#valuesOf(variables)] as const;
      }),
    );
    const before = await Promise.all(
      Object.keys(expected.before ?? {}).map(async (expression) => {
        const one = await this.#evaluate(expression, call);
        return [expression, this.#named(one.before ?? 'unchanged')] as const;
      }),
    );
    return {
      ...(expected.locals !== undefined && { locals: await list('locals') }),
      ...(expected.state && { state: (await list('state')) as Record<string, string> }),
      ...(expected.storage && { storage: await this.#storage(at) }),
      ...(expected.values && { values: Object.fromEntries(values) }),
      ...(expected.before && { before: Object.fromEntries(before) }),
    };
  }

  #valuesOf(variables: readonly Variable[]): Record<string, string> {
    return Object.fromEntries(
      variables.map((one) => [this.#named(one.name), this.#valueOf(one)] as const),
    );
  }
}

const STEPS: Readonly<Record<string, Partial<FindRequest>>> = {
  into: { depth: 'into' },
  over: { depth: 'over' },
  out: { depth: 'out' },
  back: { depth: 'into', direction: 'backwards' },
  backOver: { depth: 'over', direction: 'backwards' },
  backOut: { depth: 'out', direction: 'backwards' },
  instructions: { granularity: 'instruction' },
  instructionsBack: { granularity: 'instruction', direction: 'backwards' },
};

function lineOf(text: string): [file: string, line: number] {
  const [file = '', line] = text.split(':');
  return [file, Number(line)];
}

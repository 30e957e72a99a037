import { LIMITS } from '../../api/limits';
import { RecordingTooLarge } from '../recording/recording';
import { UnknownForgeOutput } from './forge-output';

/** What is known of a call before one of its instructions. */
export interface ForgeStep {
  readonly pc: number;
  readonly op: number;
  readonly gas: number;
  /** Words on the stack. */
  readonly height: number;
  /** 0 for an empty stack. */
  readonly top: bigint;
}

const CALLER = 0x33;
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const isHex = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value);

interface List {
  readonly first: number;
  end: number;
  /** Code that it executed, by offset: the instruction with its data. */
  readonly code: Map<number, Uint8Array>;
}

/** The steps of all calls of forge's output, as little of each as an execution is compared with. */
export class StepLists {
  readonly #pcs: number[] = [];
  readonly #ops: number[] = [];
  readonly #gas: number[] = [];
  readonly #heights: number[] = [];
  readonly #tops: bigint[] = [];
  readonly #lists: List[] = [];

  /** @returns its number */
  begin(): number {
    const { length } = this.#pcs;
    return this.#lists.push({ first: length, end: length, code: new Map() }) - 1;
  }

  /** Adds a step to the newest list. @throws UnknownForgeOutput; RecordingTooLarge */
  add(value: unknown): void {
    const list = this.#lists.at(-1);
    const step = (value ?? {}) as Record<string, unknown>;
    const { pc, op, gas_remaining: gas, stack, immediate_bytes: data } = step;
    const words: unknown = stack ?? [];
    if (!list || !isCount(pc) || !isCount(op) || !isCount(gas) || !Array.isArray(words)) {
      throw new UnknownForgeOutput('a step has no pc, op, gas_remaining or stack');
    }
    const top: unknown = words.at(-1) ?? '0x0';
    if (!isHex(top)) throw new UnknownForgeOutput('a word on the stack of a step is not hex');
    if (this.#pcs.length >= LIMITS.recordedSteps) {
      throw new RecordingTooLarge(`the test executes more than ${LIMITS.recordedSteps} steps`);
    }
    this.#pcs.push(pc);
    this.#ops.push(op);
    this.#gas.push(gas);
    this.#heights.push(words.length);
    this.#tops.push(BigInt(top));
    list.end++;
    if (!list.code.has(pc)) {
      const pushed = isHex(data) ? Buffer.from(data.slice(2), 'hex') : [];
      list.code.set(pc, Uint8Array.from([op & 0xff, ...pushed]));
    }
  }

  count(list: number): number {
    const { first = 0, end = 0 } = this.#lists[list] ?? {};
    return end - first;
  }

  get total(): number {
    return this.#pcs.length;
  }

  /** @returns undefined after the last step */
  at(list: number, index: number): ForgeStep | undefined {
    const { first = 0 } = this.#lists[list] ?? {};
    if (index >= this.count(list)) return undefined;
    const at = first + index;
    return {
      pc: this.#pcs[at] ?? 0,
      op: this.#ops[at] ?? 0,
      gas: this.#gas[at] ?? 0,
      height: this.#heights[at] ?? 0,
      top: this.#tops[at] ?? 0n,
    };
  }

  /** Who called, if the code asks for it. */
  callerOf(list: number): string | undefined {
    const { first = 0, end = 0 } = this.#lists[list] ?? {};
    for (let at = first; at + 1 < end; at++) {
      if (this.#ops[at] !== CALLER) continue;
      return `0x${(this.#tops[at + 1] ?? 0n).toString(16).padStart(40, '0')}`;
    }
    return undefined;
  }

  /** The code as far as it is executed; zeros elsewhere. */
  codeOf(list: number): Uint8Array {
    const { code } = this.#lists[list] ?? {};
    let length = 0;
    for (const [pc, bytes] of code ?? []) length = Math.max(length, pc + bytes.length);
    const whole = new Uint8Array(length);
    for (const [pc, bytes] of code ?? []) whole.set(bytes, pc);
    return whole;
  }
}

import type { DebuggedTransaction } from './debugged-transaction';

/** Some 10 MB. */
const MOST = 200_000;
const kept = new WeakMap<DebuggedTransaction, ConditionTruths>();

/** Whether conditions hold at steps of a recording, as far as it is known: later searches count hits without evaluating them again. */
export class ConditionTruths {
  readonly #byCondition = new Map<string, Map<number, boolean>>();
  #count = 0;

  static of(debugged: DebuggedTransaction): ConditionTruths {
    const truths = kept.get(debugged) ?? new ConditionTruths();
    kept.set(debugged, truths);
    return truths;
  }

  get(condition: string, step: number): boolean | undefined {
    return this.#byCondition.get(condition)?.get(step);
  }

  set(condition: string, step: number, isTrue: boolean): void {
    if (this.#count >= MOST) {
      this.#byCondition.clear();
      this.#count = 0;
    }
    const truths = this.#byCondition.get(condition) ?? new Map<number, boolean>();
    this.#byCondition.set(condition, truths);
    if (!truths.has(step)) this.#count++;
    truths.set(step, isTrue);
  }
}

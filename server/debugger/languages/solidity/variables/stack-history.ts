import type { Work } from '../../../../kernel/async/slices';
import type { Recording } from '../../../recording/recording';
import type { SourceCalls } from '../../../recording/source-calls';
import { SymbolicStack, type CallVariables, type StackProgram } from './symbolic-stack';

/** Steps of a call between two states that are kept. */
const SNAPSHOT_STEPS = 2_048;

interface Snapshot {
  /** The next step that it follows. */
  readonly next: number;
  /** The last step of the call itself that it followed. */
  readonly last: number;
  readonly stack: SymbolicStack;
}

/** The variables on the stack of one call, at any of its steps. Keeps states on the way, from which it goes on. */
export class StackHistory {
  /** By their next step, ascending. */
  readonly #snapshots: Snapshot[];

  constructor(
    private readonly recording: Recording,
    private readonly calls: SourceCalls,
    private readonly index: number,
    program: StackProgram,
  ) {
    const next = calls.calls[index]?.firstStep ?? 0;
    this.#snapshots = [{ next, last: next, stack: new SymbolicStack(program) }];
  }

  /** @param step of the call, or of a call that it makes */
  *at(step: number): Work<CallVariables> {
    const { recording } = this;
    const from = this.#snapshots.findLast(({ next }) => next <= step) ?? this.#snapshots[0];
    if (!from) return { callable: undefined, variables: [], isLeaving: false };
    const stack = from.stack.clone();
    let { last } = from;
    let followed = 0;
    const { entryStep, endStep = 0 } = this.calls.calls[this.index] ?? {};
    for (let at = from.next; at <= step && at < endStep; at++) {
      const inner = this.calls.callOf[at] ?? this.index;
      if (inner !== this.index) {
        at = Math.max(at, this.#endOfChild(inner, at) - 1);
        continue;
      }
      if (this.calls.isHelper[at] === 1) continue;
      const [{ pc }, height] = [recording.at(at), recording.heightAt(at)];
      if (at === entryStep) stack.enter(pc, height);
      stack.step(pc, height);
      last = at;
      if (++followed % SNAPSHOT_STEPS > 0) continue;
      yield SNAPSHOT_STEPS;
      this.#keep({ next: at + 1, last, stack: stack.clone() });
    }
    return stack.result(recording.heightAt(last));
  }

  /** The end of the call of this one that another one is in. */
  #endOfChild(inner: number, step: number): number {
    const { calls } = this.calls;
    let child = inner;
    for (let parent = calls[child]?.parent; parent !== undefined && parent !== this.index;) {
      child = parent;
      parent = calls[child]?.parent;
    }
    return calls[child]?.endStep ?? step + 1;
  }

  #keep(snapshot: Snapshot): void {
    if ((this.#snapshots.at(-1)?.next ?? 0) < snapshot.next) this.#snapshots.push(snapshot);
  }
}

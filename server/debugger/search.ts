import type { Recording } from './recording';
import type { SourceLine, Stops } from './stops';

/** Where a debugger is to stop. */
export interface Conditions {
  readonly lines?: readonly SourceLine[];
  /** Slots whose writes stop; addresses in lower case. */
  readonly slots?: readonly { readonly address: string; readonly slot: bigint }[];
  /** Whether logs stop. */
  readonly logs?: boolean;
  /** Calls whose failure stops: none, those that make the transaction fail, or all. */
  readonly failures?: 'none' | 'uncaught' | 'all';
}

export type StopReason = 'line' | 'store' | 'log' | 'failure' | 'entry' | 'end';

export interface Hit {
  readonly step: number;
  readonly reason: StopReason;
}

/** The next step at which a condition holds. Going back stops at the same steps as going forwards. */
export class Search {
  constructor(
    private readonly recording: Recording,
    private readonly stops: Stops,
  ) {}

  /**
   * The nearest hit after or before a step.
   * @returns the first or the last step if there is none
   */
  find(step: number, direction: 1 | -1, conditions: Conditions): Hit {
    const hits: Hit[] = [];
    const add = (reason: StopReason, found: number | undefined): void => {
      if (found !== undefined) hits.push({ step: found, reason });
    };
    const { lines = [], slots = [], logs = false, failures = 'none' } = conditions;
    if (lines.length > 0) add('line', this.#line(step, direction, lines));
    if (slots.length > 0) {
      const wanted = new Set(slots.map(({ address, slot }) => `${address} ${slot}`));
      const stores = this.recording.stores.filter(
        ({ frame, slot, isTransient }) =>
          !isTransient && wanted.has(`${this.#addressOf(frame)} ${slot}`),
      );
      add('store', nearest(stores, step, direction));
    }
    if (logs) add('log', nearest(this.recording.logs, step, direction));
    if (failures !== 'none') add('failure', nearest(this.#failures(failures), step, direction));
    const [first, ...others] = hits;
    if (!first) return this.#edge(direction);
    return others.reduce(
      (best, hit) => ((hit.step - best.step) * direction < 0 ? hit : best),
      first,
    );
  }

  #edge(direction: 1 | -1): Hit {
    return direction === 1
      ? { step: Math.max(0, this.recording.steps - 1), reason: 'end' }
      : { step: this.stops.find(-1, 1) ?? 0, reason: 'entry' };
  }

  #line(step: number, direction: 1 | -1, lines: readonly SourceLine[]): number | undefined {
    const wanted = new Set(lines.map(({ file, line }) => `${line} ${file}`));
    let found = this.stops.find(step, direction);
    while (found !== undefined) {
      const line = this.stops.line(this.stops.indexAt(found));
      if (line && wanted.has(`${line.line} ${line.file}`)) return found;
      found = this.stops.find(found, direction);
    }
    return undefined;
  }

  #addressOf(frame: number): string {
    return this.recording.frames[frame]?.context.address ?? '';
  }

  /** The last step of each frame that failed. */
  #failures(which: 'uncaught' | 'all'): { step: number }[] {
    const { frames } = this.recording;
    const failed = frames.map(({ end }) => end !== undefined && end.kind !== 'returned');
    const isUncaught = (index: number): boolean => {
      for (let at: number | undefined = index; at !== undefined; at = frames[at]?.parent) {
        if (!failed[at]) return false;
      }
      return true;
    };
    return frames
      .flatMap(({ endStep, firstStep }, index) =>
        failed[index] && endStep > firstStep && (which === 'all' || isUncaught(index))
          ? [{ step: endStep - 1 }]
          : [],
      )
      .sort((a, b) => a.step - b.step);
  }
}

/** @param found ascending */
function nearest(
  found: readonly { readonly step: number }[],
  step: number,
  direction: 1 | -1,
): number | undefined {
  return direction === 1
    ? found.find((one) => one.step > step)?.step
    : found.findLast((one) => one.step < step)?.step;
}

import { lastUpTo } from '../../contracts/sources/last-up-to';
import type { SourceCalls } from './source-calls';

/** Calls that a step passes over. */
export type StepDepth = 'into' | 'over' | 'out';

/** Depth of the innermost call of a step. */
export const depthAt = ({ calls, callOf }: SourceCalls, step: number): number =>
  calls[callOf[step] ?? 0]?.depth ?? 0;

/** A stop that enters a line or statement; the rest of the same one after a call that it makes; another one that was entered before the call. */
export const [ENTRY, REST, RETURN] = [0, 1, 2];

/** The steps at which a debugger stops, ascending. Stepping forwards and backwards goes along the same list. */
export class StopList {
  constructor(
    readonly steps: Uint32Array,
    /** `ENTRY`, `REST` or `RETURN`: optimized code mixes lines, so that a call may return to another line than that of the stop before it. */
    readonly kinds: Uint8Array,
    private readonly calls: SourceCalls,
  ) {}

  /** Index of the stop at a step, or of the last one before it; -1 if there is none. */
  indexAt(step: number): number {
    return lastUpTo(this.steps, step);
  }

  /**
   * The nearest stop after or before a step. A step over a line or statement does not stop at the rest of the same one.
   * @returns the step; undefined at the end or the beginning
   */
  find(step: number, direction: 1 | -1, depth: StepDepth): number | undefined {
    const at = this.indexAt(step);
    const isAtStop = this.steps[at] === step;
    const own = depth === 'into' ? 0 : depthAt(this.calls, step);
    let index = direction === 1 ? at + 1 : isAtStop ? at - 1 : at;
    for (; index >= 0 && index < this.steps.length; index += direction) {
      const found = this.steps[index] ?? 0;
      if (depth === 'into') return found;
      const level = depthAt(this.calls, found);
      if (level < own) return found;
      if (depth === 'over' && level === own && this.kinds[index] !== REST) return found;
    }
    return undefined;
  }
}

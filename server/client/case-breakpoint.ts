import type { CaseBreakpoint, CaseShown } from '../api/case-content';
import { invalidField } from '../api/errors';

const ACCEPTED = '<file as compiled>:<line from 1 to 1000000>, or the name of a function';

/** Reads a breakpoint as people write it. @throws ApiError `invalidField` */
function breakpointOf(place: string): CaseBreakpoint {
  const [, source, digits] = /^(.+):(\d+)$/.exec(place) ?? [];
  if (source === undefined) return { function: place };
  const line = Number(digits);
  if (line >= 1 && line <= 1_000_000) return { source, line };
  throw invalidField('breakpoint', place, ACCEPTED);
}

/** A debugger session on the steps that were executed. @throws ApiError `invalidField` for a breakpoint that is none */
export const sessionShown = (
  breakpoints: readonly string[],
  step: number | undefined,
): CaseShown => ({
  kind: 'debugger',
  ...(step === undefined ? {} : { step, build: 'executed' }),
  breakpoints: breakpoints.map(breakpointOf),
});

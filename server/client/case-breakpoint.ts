import type { CaseBreakpoint } from '../api/case-content';
import { invalidField } from '../api/errors';

const ACCEPTED = '<file as compiled>:<line from 1 to 1000000>, or the name of a function';

/** Reads a breakpoint as people write it. @throws ApiError `invalidField` */
export function breakpointOf(place: string): CaseBreakpoint {
  const [, source, digits] = /^(.+):(\d+)$/.exec(place) ?? [];
  if (source === undefined) return { function: place };
  const line = Number(digits);
  if (line >= 1 && line <= 1_000_000) return { source, line };
  throw invalidField('breakpoint', place, ACCEPTED);
}

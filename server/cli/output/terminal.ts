import pico from 'picocolors';
import type { Colors } from 'picocolors/types';

/** What is known of a stream that people or programs read. */
export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** NO_COLOR (any text) switches colours off, FORCE_COLOR on; else a terminal that knows them has them. */
export function colorsFor(stream: Stream, environment: NodeJS.ProcessEnv): Colors {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  const isColored = isSet('NO_COLOR')
    ? false
    : isSet('FORCE_COLOR')
      ? environment['FORCE_COLOR'] !== '0'
      : stream.isTTY === true && environment['TERM'] !== 'dumb';
  return pico.createColors(isColored);
}

/** Columns that text may take; undefined where it is not for a terminal, and must not be shortened. */
export const widthOf = ({ isTTY, columns }: Stream): number | undefined =>
  isTTY === true ? (columns ?? 80) : undefined;

import pico from 'picocolors';
import type { Colors } from 'picocolors/types';

/** Properties of an output stream. */
export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** A non-empty NO_COLOR disables colours, FORCE_COLOR enables them. Otherwise terminals that support colours get them. */
export function colorsFor(stream: Stream, environment: NodeJS.ProcessEnv): Colors {
  const isSet = (name: string): boolean => (environment[name] ?? '') !== '';
  const isColored = isSet('NO_COLOR')
    ? false
    : isSet('FORCE_COLOR')
      ? environment['FORCE_COLOR'] !== '0'
      : stream.isTTY === true && environment['TERM'] !== 'dumb';
  return pico.createColors(isColored);
}

/** Width of a terminal in columns; undefined for other streams, whose text must not be shortened. */
export const widthOf = ({ isTTY, columns }: Stream): number | undefined =>
  isTTY === true ? (columns ?? 80) : undefined;

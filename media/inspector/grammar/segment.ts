/** A piece of a line. Its kind determines its style everywhere. `quiet`: punctuation and argument names. */
export interface Segment {
  kind: 'address' | 'method' | 'quiet' | 'value' | 'error';
  /** Text as shown: inert, folded, grouped. */
  text: string;
  /** Text as copied, if it differs from the shown text: full and plain. */
  plain?: string;
  /** Tooltip, if there is more to show. */
  title?: string;
}

/** Returns the name of an address, if known. */
export type Names = (address: string) => string | undefined;

export function namesOf(labels: Readonly<Record<string, string>>): Names {
  const names = new Map(Object.entries(labels));
  return (address) => names.get(address);
}

export function quiet(text: string): Segment {
  return { kind: 'quiet', text };
}

/** The line as text for the clipboard. */
export function plainText(segments: readonly Segment[]): string {
  return segments.map(({ text, plain }) => plain ?? text).join('');
}

/**
 * A piece of a line: how it looks is decided by its kind, once, wherever it stands.
 * `quiet` punctuation and argument names, `mark` words that carry a meaning of their own (→, reverted).
 */
export interface Segment {
  kind: 'address' | 'method' | 'quiet' | 'value' | 'error';
  /** As shown: inert, folded, grouped. */
  text: string;
  /** As copied, where that differs from what is shown: whole and plain. */
  plain?: string;
  /** For the tooltip, where there is more to know. */
  title?: string;
}

/** Names of addresses, where known. */
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

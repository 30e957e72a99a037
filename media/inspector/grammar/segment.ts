/** A piece of a line. Its kind determines its style everywhere. `quiet`: punctuation. */
export interface Segment {
  kind: 'address' | 'method' | 'event' | 'parameter' | 'quiet' | 'value' | 'error';
  /** Of an address that is called, created, or that emits an event. */
  isContract?: true;
  /** Text as shown: inert, folded, grouped. */
  text: string;
  /** Text as copied, if it differs from the shown text: full and plain. */
  plain?: string;
  /** Text in a report, if it differs from the copied text: an amount with its unit. */
  inUnits?: string;
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

/** The name of an argument or a field, shown before its value. */
export function parameterName(text: string): Segment[] {
  return [{ kind: 'parameter', text }, quiet(': ')];
}

/** The line as text for the clipboard. */
export function plainText(segments: readonly Segment[]): string {
  return segments.map(({ text, plain }) => plain ?? text).join('');
}

/** The line as text for a report: full addresses, and amounts in their units. */
export function reportText(segments: readonly Segment[]): string {
  return segments.map(({ text, plain, inUnits }) => inUnits ?? plain ?? text).join('');
}

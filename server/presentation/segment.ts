/** A piece of a line. Its kind determines its style everywhere. `quiet`: punctuation; `mark`: how far its neighbour is proved. */
export interface Segment {
  kind:
    | 'address'
    | 'method'
    | 'event'
    | 'parameter'
    | 'quiet'
    | 'value'
    | 'error'
    | 'text'
    | 'strong'
    | 'amount'
    | 'unit'
    | 'mark';
  /** Of an address that is called, created, or that emits an event. */
  isContract?: true;
  /** Text as shown: inert, folded, grouped. */
  text: string;
  /** Text as copied, if it differs from the shown text: full and plain. */
  plain?: string;
  /** Text in a report, if it differs from the copied text: an amount with its unit. */
  inUnits?: string;
  /** The whole value of a folded piece of a value. */
  whole?: string;
  /** The text as a stranger chose it, of which a text for a model makes a JSON string. Empty: an earlier piece of the line contains it. */
  foreign?: string;
  /** Digits of an amount whose unit is `foreign`, else the token `whole`. */
  amount?: string;
  /** Tooltip, if there is more to show. */
  title?: string;
  /** Node of the call tree to which the words lead. */
  nodeId?: number;
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

export const words = (text: string): Segment => ({ kind: 'text', text });

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

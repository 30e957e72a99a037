import { isPlainName, quoted } from './quoted';
import type { Segment } from './segment';

/** How lines become text where there is neither a pointer nor a style: in a terminal, for a model, in a report. */
export interface Writing {
  /** Characters of a value at the most. */
  readonly shown: number;
  /** Characters of a list or a tuple at the most. */
  readonly shownList: number;
  /** For a model: addresses are whole, and texts of strangers are JSON strings. */
  readonly isForModel: boolean;
  /** Receives each address that a name stands for. */
  readonly onName?: (address: string, name: string) => void;
  /** Colours a piece. */
  readonly paint?: (segment: Segment, text: string) => string;
}

const REASON_CHARACTERS = 480;
const SYMBOL_CHARACTERS = 24;

/** A line as text: what is folded on screen is written out, up to the limits. */
export function writtenText(segments: readonly Segment[], writing: Writing): string {
  const pieces: string[] = [];
  let index = 0;
  while (index < segments.length) {
    const end = endOfValue(segments, index);
    const [first, ...rest] = segments.slice(index, end);
    if (first === undefined) break;
    const text =
      rest.length === 0 ? pieceText(first, writing) : listText([first, ...rest], writing);
    pieces.push(writing.paint?.(first, text) ?? text);
    index = end;
  }
  return pieces.join('');
}

/** Index after the pieces of a list or a tuple, whose first one has the copied text. */
function endOfValue(segments: readonly Segment[], index: number): number {
  let end = index + 1;
  while (end < segments.length && segments[end]?.plain === '' && segments[end]?.text !== '?') end++;
  return end;
}

/** The first pieces of a list that fit; addresses stay whole. */
function listText(segments: readonly Segment[], writing: Writing): string {
  const pieces = segments.map((segment) => pieceText(segment, writing));
  const whole = pieces.join('');
  if (whole.length <= writing.shownList) return whole;
  let text = '';
  for (const piece of pieces) {
    if (text.length + piece.length > writing.shownList) break;
    text += piece;
  }
  return `${text}…${whole.startsWith('{') ? '}' : ']'}`;
}

function pieceText(segment: Segment, writing: Writing): string {
  const { kind, text, plain, whole, foreign } = segment;
  const { isForModel } = writing;
  switch (kind) {
    case 'address':
      if (!isForModel) return text;
      if (foreign === undefined) return whole ?? text;
      if (foreign !== '') writing.onName?.(whole ?? '', foreign);
      return foreign === '' ? '' : quoted(foreign);
    case 'unit':
      if (!isForModel) return text;
      return foreign === undefined ? (whole ?? text) : quoted(foreign, SYMBOL_CHARACTERS);
    case 'value':
      return valueText(segment, writing);
    case 'method':
    case 'event': {
      if (!isForModel) return text;
      if (foreign === undefined) return whole ?? text;
      return isPlainName(foreign) ? text : quoted(foreign);
    }
    case 'parameter':
      return isForModel && !isPlainName(text) ? quoted(text) : text;
    case 'error':
      if (!isForModel || foreign === undefined) return text;
      return foreign === '' ? '' : quoted(foreign, REASON_CHARACTERS);
    case 'mark':
      return `(${plain ?? text})`;
    case 'quiet':
      return isForModel ? (whole ?? text) : text;
    default:
      return text;
  }
}

function valueText(segment: Segment, { isForModel, shown }: Writing): string {
  const { text, whole, foreign, amount } = segment;
  if (amount !== undefined) {
    if (!isForModel) return text;
    return `${amount} ${foreign === undefined ? (whole ?? '') : quoted(foreign, SYMBOL_CHARACTERS)}`;
  }
  return foreign === undefined ? cut(whole ?? text, shown) : quoted(foreign, shown);
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 8)}…${text.slice(-6)}`;
}

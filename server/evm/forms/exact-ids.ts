import { endOfString } from './json-depth';

/** A numeric id that JavaScript would write differently, such as one above 2^53. It is returned as it was sent (JSON-RPC 2.0 §5). */
export class ExactId {
  /** @param text the number in JSON */
  constructor(readonly text: string) {}
}

/** Candidates for such ids, at any depth. */
const NUMBERS = /"id"\s*:\s*(-?\d[\w.+-]*)/g;

const isPlain = (number: string): boolean =>
  Number.isSafeInteger(Number(number)) && String(Number(number)) === number;

/**
 * Replaces the ids of the requests in a message by the ids as they were sent.
 * @param text JSON
 * @param message the parsed text: one request or several
 */
export function keepExactIds(text: string, message: unknown): void {
  if (!hasUnusual(text)) return;
  const isBatch = Array.isArray(message);
  const requests: readonly unknown[] = isBatch ? message : [message];
  for (const [place, number] of idsOf(text, isBatch ? 2 : 1)) {
    const request = requests[place];
    if (typeof request !== 'object' || request === null || isPlain(number)) continue;
    if ('id' in request && typeof request.id === 'number') request.id = new ExactId(number);
  }
}

/** Fast check that most requests do not pass. */
function hasUnusual(text: string): boolean {
  NUMBERS.lastIndex = 0;
  for (let found = NUMBERS.exec(text); found; found = NUMBERS.exec(text)) {
    if (!isPlain(found[1] ?? '')) return true;
  }
  return false;
}

/**
 * @param depth nesting level of a request's members
 * @returns texts of the numeric ids, by the index of their request; if a request has several, the last one
 */
function idsOf(text: string, depth: number): Map<number, string> {
  const found = new Map<number, string>();
  let level = 0;
  let place = 0;
  let lastString = '';
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '"': {
        const end = endOfString(text, i);
        if (level === depth) lastString = text.slice(i, end + 1);
        i = end;
        break;
      }
      case '[':
      case '{':
        level++;
        break;
      case ']':
      case '}':
        level--;
        break;
      case ',':
        if (level === depth - 1) place++;
        break;
      case ':':
        if (level === depth && lastString === '"id"') {
          const number = /\s*(-?\d[\w.+-]*)?/y;
          number.lastIndex = i + 1;
          const [, digits] = number.exec(text) ?? [];
          if (digits === undefined) found.delete(place);
          else found.set(place, digits);
        }
        break;
      default: // inside a value, or between two values
    }
  }
  return found;
}

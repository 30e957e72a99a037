import { LIMITS } from '../../api/limits';

/** Whether a JSON text is nested deeper than `LIMITS.jsonDepth`. The result is meaningless for text that is not JSON. */
export function isTooDeep(text: string): boolean {
  return hasManyOpenings(text) && depthExceeds(text, LIMITS.jsonDepth);
}

/** Most requests have few brackets, so they are not scanned character by character. */
function hasManyOpenings(text: string): boolean {
  let count = 0;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++count > LIMITS.jsonDepth) return true;
    }
  }
  return false;
}

function depthExceeds(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '"':
        i = endOfString(text, i);
        break;
      case '[':
      case '{':
        if (++depth > limit) return true;
        break;
      case ']':
      case '}':
        depth--;
        break;
      default: // inside a value, or between two values
    }
  }
  return false;
}

/** Index of the closing quote, or of the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

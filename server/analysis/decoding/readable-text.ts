import type { Hex } from '../../api/primitives';
import { visibleText } from '../../api/visible-text';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Control characters but tabs and line breaks, and characters without a meaning. */
const UNREADABLE = /(?![\t\n\r])[\p{Cc}\p{Cn}\p{Co}\p{Cs}\ufffd]/u;
/** Longer data is not read as text, in characters of hex. */
const LIMIT = 262_146;

/**
 * Data that is text in UTF-8, as one line without control and format characters. Undefined if it is not text, or has fewer visible
 * characters than asked for.
 */
export function readableText(data: Hex, least: number): string | undefined {
  if (data.length < 4 || data.length > LIMIT) return undefined;
  let text: string;
  try {
    text = utf8.decode(Buffer.from(data.slice(2), 'hex'));
  } catch {
    return undefined;
  }
  if (UNREADABLE.test(text)) return undefined;
  const line = visibleText(text.replace(/\s+/g, ' '));
  return line.length >= least && /[\p{L}\p{N}\p{S}]/u.test(line) ? line : undefined;
}

import { escapedJson, visibleText } from '../api/visible-text';

const LIMIT = 60;

/**
 * A text of a stranger as a JSON string: it can neither end early, nor control or imitate the text around it.
 * @param limit of its characters
 */
export function quoted(text: string, limit = LIMIT): string {
  const visible = visibleText(text);
  const shown = visible.length <= limit ? visible : `${visible.slice(0, limit - 1)}…`;
  return escapedJson(JSON.stringify(shown));
}

/** Whether a name is an identifier of the ABI grammar or a selector, which needs no quotes. */
export const isPlainName = (text: string): boolean =>
  /^(?:|\(\)|[A-Za-z_$][\w$]{0,39}|0x[0-9a-f]{8,64})$/.test(text);

/** Controls, format characters (bidi overrides, zero widths, tags), surrogates, private use, and line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes untrusted text (token symbols, revert reasons, labels): every character that is invisible or changes the display of its
 * neighbours is written as `\u{202e}`.
 */
export function inert(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** At most `limit` UTF-16 units of the text, then an ellipsis. Does not split a surrogate pair. */
export function fold(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Combines {@link inert} and {@link fold}, without processing megabytes that are not shown. */
export function shownText(text: string, limit: number): string {
  return inert(fold(text, limit));
}

/** `0x1234…cdef`; hex of up to 10 digits stays complete. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** The slug of a chain, or `fork 1234…cdef` for a fork's id (`fork_` and 32 hex digits). */
export function networkName(chain: string): string {
  const fork = /^fork_([0-9a-f]{4})[0-9a-f]{24}([0-9a-f]{4})$/.exec(chain);
  return fork === null ? shownText(chain, 64) : `fork ${fork[1] ?? ''}…${fork[2] ?? ''}`;
}

/** A plain decimal (`-1234.5`) with grouped thousands in its integer part: `-1,234.5`. */
export function grouped(decimal: string): string {
  const [integer = '', fraction] = decimal.split('.');
  const whole = integer.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? whole : `${whole}.${fraction}`;
}

/** `2024-01-13 11:20:35 UTC`; empty for a time outside the range of dates. */
export function utcTime(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

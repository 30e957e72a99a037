/** Controls, format characters (bidi overrides, zero widths, tags), surrogates, private use, and line separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/**
 * Text of strangers (token symbols, revert reasons, labels) with every character that is invisible, or that changes how
 * its neighbours look, written out as `\u{202e}`. What is shown then is what is there.
 */
export function inert(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** At most `limit` UTF-16 units of the text, then an ellipsis; no surrogate pair is cut. */
export function fold(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** {@link inert} and {@link fold} in one, without walking through megabytes that are not shown. */
export function shownText(text: string, limit: number): string {
  return inert(fold(text, limit));
}

/** `0x1234…cdef`; hex of up to 10 digits stays whole. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

/** Slug of a chain as it is; of a fork's id (`fork_` and 32 hex digits) `fork 1234…cdef`. */
export function networkName(chain: string): string {
  const fork = /^fork_([0-9a-f]{4})[0-9a-f]{24}([0-9a-f]{4})$/.exec(chain);
  return fork === null ? shownText(chain, 64) : `fork ${fork[1] ?? ''}…${fork[2] ?? ''}`;
}

/** A plain decimal (`-1234.5`) with thousands grouping on its integer part: `-1,234.5`. */
export function grouped(decimal: string): string {
  const [integer = '', fraction] = decimal.split('.');
  const whole = integer.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? whole : `${whole}.${fraction}`;
}

/** `2024-01-13 11:20:35 UTC`; empty for a time that no date can hold. */
export function utcTime(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `19000123` as `19,000,123`. */
export function grouped(value: bigint | number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `0x1234…cdef`. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

const UNITS = [
  [60, 'min'],
  [3_600, 'h'],
  [86_400, 'd'],
] as const;
const LONGEST_SECONDS = 7 * 86_400;

/** `2 min ago`; the UTC day where it is longer ago than a week, or ahead of the clock, as on a fork of a future block. */
export function relativeTime(unixSeconds: number, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000) - unixSeconds;
  if (seconds < 0 || seconds > LONGEST_SECONDS) return utc(unixSeconds).slice(0, 10);
  const unit = UNITS.findLast(([length]) => seconds >= length);
  return unit === undefined ? 'now' : `${Math.floor(seconds / unit[0])} ${unit[1]} ago`;
}

/** `2024-01-13 11:20:35`, in UTC. */
export function utc(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** `1 fork`, `2 forks`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

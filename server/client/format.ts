import * as l10n from '@vscode/l10n';
import type { Progress } from '../api/progress';

/** `19,000,123` for `19000123`. */
export function grouped(value: bigint | number | string): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `-1,234.5` for the plain decimal `-1234.5`; other text stays. */
export function groupedDecimal(decimal: string): string {
  const [whole = '', ...fraction] = decimal.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

/** `0x1234…cdef`. */
export function shortHex(hex: string): string {
  return hex.length <= 12 ? hex : `${hex.slice(0, 6)}…${hex.slice(-4)}`;
}

const UNITS = [
  [60, l10n.t('min')],
  [3_600, l10n.t('h')],
  [86_400, l10n.t('d')],
] as const;
const LONGEST_SECONDS = 7 * 86_400;

/** `2 min ago`; the UTC day if the time is more than a week ago or in the future, as on a fork of a future block. */
export function relativeTime(unixSeconds: number, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000) - unixSeconds;
  if (seconds < 0 || seconds > LONGEST_SECONDS) return utc(unixSeconds).slice(0, 10);
  const unit = UNITS.findLast(([length]) => seconds >= length);
  return unit === undefined
    ? l10n.t('now')
    : l10n.t('{0} {1} ago', Math.floor(seconds / unit[0]), unit[1]);
}

/** `2024-01-13 11:20:35`, in UTC. */
export function utc(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Complete singular and plural texts, because other languages do not form the plural by a suffix. */
const COUNTED = {
  block: [l10n.t('{0} block'), l10n.t('{0} blocks')],
  chain: [l10n.t('{0} chain'), l10n.t('{0} chains')],
  fork: [l10n.t('{0} fork'), l10n.t('{0} forks')],
  project: [l10n.t('{0} project'), l10n.t('{0} projects')],
  read: [l10n.t('{0} read'), l10n.t('{0} reads')],
  snapshot: [l10n.t('{0} snapshot'), l10n.t('{0} snapshots')],
  transaction: [l10n.t('{0} transaction'), l10n.t('{0} transactions')],
} as const;

/** `1 fork`, `2 forks`. */
export function counted(count: number, noun: keyof typeof COUNTED): string {
  const [one, many] = COUNTED[noun];
  return (count === 1 ? one : many).replace('{0}', grouped(count));
}

/** `replaying transactions` becomes `replaying 7 of 143 transactions`. */
export function progressInWords({ stage, done, total }: Progress): string {
  const [verb = '', ...rest] = stage.split(' ');
  return [verb, l10n.t('{0} of {1}', grouped(done), grouped(total)), ...rest].join(' ');
}

import * as l10n from '@vscode/l10n';
import type { RecentEntry } from '../model/recent';

export interface RecentGroup {
  /** Stable over refreshes. */
  id: string;
  label: string;
  entries: RecentEntry[];
}

/**
 * The entries by day, the pinned ones first.
 * @param dayOf the day of a time as the user's calendar says, `2026-11-23`
 */
export function recentGroups(
  entries: readonly RecentEntry[],
  nowMs: number,
  dayOf: (timeMs: number) => string = localDay,
): RecentGroup[] {
  const today = dayOf(nowMs);
  const yesterday = dayOf(nowMs - 86_400_000);
  const groups = new Map<string, RecentEntry[]>();
  for (const entry of entries) {
    const id = entry.pinned === true ? 'pinned' : dayOf(entry.time);
    groups.set(id, [...(groups.get(id) ?? []), entry]);
  }
  const labels: Record<string, string> = {
    pinned: l10n.t('Pinned'),
    [today]: l10n.t('Today'),
    ...(yesterday === today ? {} : { [yesterday]: l10n.t('Yesterday') }),
  };
  return [...groups]
    .sort(([a], [b]) => (rank(a) < rank(b) ? 1 : -1))
    .map(([id, list]) => ({ id, label: labels[id] ?? id, entries: list }));
}

const rank = (id: string): string => (id === 'pinned' ? '~' : id);

/** In the time zone of the user. */
function localDay(timeMs: number): string {
  const time = new Date(timeMs);
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

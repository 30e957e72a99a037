import * as l10n from '@vscode/l10n';
import { counted, grouped, utc } from '../../server/client/format';
import type { WatchView } from '../model/watch';
import { tooltip } from '../ui/tooltip';
import type { Shown } from './chain-displays';

/** A watch with its state. @param nowMs Unix milliseconds */
export function watchDisplay(
  { watch, state, count, skipped, matches }: WatchView,
  nowMs: number,
): Shown {
  const { name, place, watched } = watch;
  const found = count === 0 ? [] : [counted(count, 'transaction')];
  const missed = skipped === 0 ? [] : [l10n.t('{0} not read', counted(skipped, 'block'))];
  const now = stateText({ state }, nowMs);
  const subject =
    watched.kind === 'address'
      ? l10n.t(
          'transactions from or to `{0}`, and logs that it emits or that name it',
          watched.address,
        )
      : watched.address === undefined
        ? l10n.t('event `{0}` of any contract', watched.topic)
        : l10n.t('event `{0}` of `{1}`', watched.topic, watched.address);
  return {
    label: name,
    description: [place, ...found, now, ...missed].join(' · '),
    icon: iconOf(state.kind),
    tooltip: tooltip(
      name,
      [
        subject,
        l10n.t('on {0}: {1}', place, now),
        ...('message' in state ? [state.message] : []),
        ...[...found, ...missed].map((one) => l10n.t('{0} in this window', one)),
      ],
      undefined,
    ),
    ...(matches.length > 0 && { collapsed: true }),
    accessibilityLabel: [l10n.t('Watch {0} on {1}', name, place), now, ...found, ...missed].join(
      ', ',
    ),
  };
}

function stateText({ state }: Pick<WatchView, 'state'>, nowMs: number): string {
  switch (state.kind) {
    case 'starting':
      return l10n.t('starting');
    case 'stopped':
      return l10n.t('paused: the service does not run');
    case 'sleeping':
      return l10n.t('paused: the fork does not run');
    case 'watching':
      return l10n.t('up to block {0}', grouped(state.head));
    case 'gone':
      return l10n.t('no longer exists');
    case 'unreachable':
      return l10n.t('no answer, asked again at {0} UTC', utc(Math.max(state.next, nowMs) / 1000));
  }
}

function iconOf(kind: WatchView['state']['kind']): Shown['icon'] {
  switch (kind) {
    case 'watching':
      return { id: 'eye', color: 'testing.iconPassed' };
    case 'unreachable':
      return { id: 'warning', color: 'list.warningForeground' };
    case 'gone':
      return { id: 'error', color: 'list.errorForeground' };
    default:
      return { id: 'eye-closed' };
  }
}

import * as l10n from '@vscode/l10n';
import type { ServiceState } from '../model/service';

export interface StatusView {
  /** With codicons. */
  text: string;
  /** One plain sentence. */
  tooltip: string;
  severity: 'normal' | 'warning' | 'error';
}

const OWNERSHIP = {
  owner: l10n.t('started by this window'),
  attached: l10n.t('shared with the window that started it'),
  remote: l10n.t('remote'),
} as const;

/** Content of the status bar item. */
export function statusView(state: ServiceState): StatusView {
  switch (state.kind) {
    case 'stopped':
      return {
        text: '$(circle-outline) Forklens',
        tooltip: l10n.t('The service is not running.'),
        severity: 'normal',
      };
    case 'starting':
      return {
        text: '$(loading~spin) Forklens',
        tooltip:
          state.attempt === 0
            ? l10n.t('The service is starting…')
            : l10n.t(
                'The service ended unexpectedly and is being restarted (attempt {0})…',
                state.attempt,
              ),
        severity: state.attempt === 0 ? 'normal' : 'warning',
      };
    case 'running':
      return {
        text: '$(repo-forked) Forklens',
        tooltip: l10n.t('The service runs at {0} ({1}).', state.url, OWNERSHIP[state.ownership]),
        severity: 'normal',
      };
    case 'stopping':
      return {
        text: '$(loading~spin) Forklens',
        tooltip: l10n.t('The service is stopping…'),
        severity: 'normal',
      };
    case 'failed':
      return {
        text: '$(error) Forklens',
        tooltip: `Forklens: ${state.message}`,
        severity: 'error',
      };
    case 'notConfigured':
      return {
        text: '$(gear) Forklens',
        tooltip: `Forklens: ${state.message}`,
        severity: 'warning',
      };
  }
}

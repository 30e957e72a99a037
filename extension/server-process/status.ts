import type { ServiceState } from './service';

export interface StatusView {
  /** With codicons. */
  text: string;
  /** One plain sentence. */
  tooltip: string;
  severity: 'normal' | 'warning' | 'error';
}

const OWNERSHIP = {
  owner: 'started by this window',
  attached: 'shared with the window that started it',
  remote: 'remote',
} as const;

/** What the status bar says of the service. */
export function statusView(state: ServiceState): StatusView {
  switch (state.kind) {
    case 'stopped':
      return {
        text: '$(circle-outline) Forklens',
        tooltip: 'The service is not running.',
        severity: 'normal',
      };
    case 'starting':
      return {
        text: '$(loading~spin) Forklens',
        tooltip:
          state.attempt === 0
            ? 'The service is starting…'
            : `The service ended unexpectedly and is being restarted (attempt ${state.attempt})…`,
        severity: state.attempt === 0 ? 'normal' : 'warning',
      };
    case 'running':
      return {
        text: '$(repo-forked) Forklens',
        tooltip: `The service runs at ${state.url} (${OWNERSHIP[state.ownership]}).`,
        severity: 'normal',
      };
    case 'stopping':
      return {
        text: '$(loading~spin) Forklens',
        tooltip: 'The service is stopping…',
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

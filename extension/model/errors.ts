import * as l10n from '@vscode/l10n';
import { ApiError, type ApiErrorName } from '../../server/api/errors';
import { ForkRpcError } from '../../server/client/fork-rpc';
import { sentence } from './sentence';

/** The service is not available: it was stopped, failed, cannot be reached, or has no URL configured. */
export class ServiceUnavailableError extends ApiError {
  constructor(
    readonly reason: 'stopped' | 'failed' | 'unreachable' | 'notConfigured',
    message: string,
    options?: ErrorOptions,
  ) {
    super('upstreamUnreachable', message, options);
  }
}

/** The user closed an input or cancelled: there is nothing to report. */
export class UserCancelledError extends Error {
  override readonly name = 'UserCancelledError';
}

/** Actions that an error message offers. */
export type ErrorAction =
  'retry' | 'signIn' | 'startService' | 'reconnect' | 'showLog' | 'openSettings';

export interface ErrorReport {
  message: string;
  /** `warning`: nothing is broken, but the user has to do something first. */
  severity: 'warning' | 'error';
  actions: readonly ErrorAction[];
}

const ACTIONS: Partial<Record<ApiErrorName, readonly ErrorAction[]>> = {
  keyMissing: ['signIn'],
  keyUnknown: ['signIn'],
  keyExpired: ['signIn'],
  scopeMissing: ['signIn'],
  transactionPending: ['retry'],
  transactionNotFound: ['retry'],
  tooManyRequests: ['retry'],
  upstreamUnreachable: ['retry', 'showLog'],
  upstreamLacksData: ['showLog'],
  engineUnavailable: ['retry', 'showLog'],
  timedOut: ['retry', 'showLog'],
  internal: ['retry', 'showLog'],
};

const UNAVAILABLE_ACTIONS: Record<ServiceUnavailableError['reason'], readonly ErrorAction[]> = {
  stopped: ['startService'],
  failed: ['startService', 'showLog'],
  unreachable: ['reconnect', 'openSettings'],
  notConfigured: ['openSettings'],
};

export function isCancellation(error: unknown): boolean {
  if (error instanceof ApiError) return error.kind === 'cancelled';
  return (
    // Also `vscode.CancellationError` and an aborted fetch. By name, so that this file does not import the editor's API, and because a
    // bundle that is loaded on demand has classes of its own.
    error instanceof Error && ['UserCancelledError', 'Canceled', 'AbortError'].includes(error.name)
  );
}

/** Message and actions for an error; undefined for a cancellation, which is not shown. */
export function reportOf(error: unknown): ErrorReport | undefined {
  if (isCancellation(error)) return undefined;
  if (error instanceof ServiceUnavailableError) {
    const { reason } = error;
    const severity = reason === 'stopped' || reason === 'notConfigured' ? 'warning' : 'error';
    return { message: sentence(error.message), severity, actions: UNAVAILABLE_ACTIONS[reason] };
  }
  if (error instanceof ApiError) {
    const severity = error.kind === 'keyMissing' ? 'warning' : 'error';
    return { message: sentence(error.message), severity, actions: ACTIONS[error.kind] ?? [] };
  }
  if (error instanceof ForkRpcError) {
    const message = sentence(l10n.t('the fork answers: {0}', error.message));
    return { message, severity: 'error', actions: [] };
  }
  return {
    message: l10n.t('An unexpected error occurred; see the log.'),
    severity: 'error',
    actions: ['showLog'],
  };
}

/** Whether the service refused the access key itself. */
export const isKeyRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.kind === 'keyUnknown' || error.kind === 'keyExpired');

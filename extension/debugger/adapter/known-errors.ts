import * as l10n from '@vscode/l10n';
import { sentence } from '../../model/sentence';

// The client is part of another bundle than this room, so that its `ApiError` is another class: its fields count.

export const isCancelled = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' || ('kind' in error && error.kind === 'cancelled'));

/** Whether the fork, or the chain, is no longer there for the user. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'kind' in error &&
  (error.kind === 'chainNotFound' || error.kind === 'forkNotFound');

export const isInvalidField = (error: unknown): error is Error =>
  error instanceof Error && 'kind' in error && error.kind === 'invalidField';

/** The message of an error of the service as a sentence; other errors have no message for the user. */
export const messageOf = (error: unknown): string =>
  error instanceof Error && error.name === 'ApiError'
    ? sentence(error.message)
    : l10n.t('The debugger failed; see the log.');

import { ApiError } from '../../../api/errors';

/** A connection could not be opened: nothing was sent. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
}

/**
 * What is known after a failure:
 * - `not sent`: the database did not get the statement
 * - `rolled back`: it undid the transaction, which may succeed if it is repeated
 * - `lost`: the connection ended, so a change may have been made
 * - `refused`: the database answered with an error that repeating does not change
 */
export type Failure = 'not sent' | 'rolled back' | 'lost' | 'refused';

/** serialization_failure, deadlock_detected, lock_not_available, and query_canceled: a time limit of the server */
const ROLLED_BACK = new Set(['40001', '40P01', '55P03', '57014']);
/** Connection exceptions, shutdowns, and a server that became a read-only standby. */
const LOST = /^(08...|57P0.|25006)$/;
/** disk_full */
const DISK_FULL = '53100';
/** All have a digit, which tells them from a system's code such as EPIPE. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;

export function failureOf(error: unknown): Failure {
  if (error instanceof NotConnectedError) return 'not sent';
  const code = codeOf(error);
  if (code !== undefined && ROLLED_BACK.has(code)) return 'rolled back';
  if (code !== undefined && SQLSTATE.test(code)) return LOST.test(code) ? 'lost' : 'refused';
  // pg reports an ended connection and an exceeded time limit without a code, or with the system's.
  return isOfDriver(error) ? 'lost' : 'refused';
}

/** The error that clients get. Its message contains nothing of the database's URL. */
export function asApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const code = codeOf(error);
  if (code === DISK_FULL) {
    return new ApiError('storageFull', 'there is no space left for the data of the service', {
      cause: error,
    });
  }
  if (failureOf(error) === 'refused') return error;
  return databaseUnavailable(error);
}

/** Seconds after which a client may try again. */
const RETRY_AFTER_S = 2;

const databaseUnavailable = (cause: unknown): ApiError =>
  new ApiError(
    'databaseUnavailable',
    `the database of the service does not answer${reasonOf(cause)}; try again in ${RETRY_AFTER_S} s`,
    { cause, retryAfter: RETRY_AFTER_S },
  );

/** ` (ECONNREFUSED)`: a code alone, because messages contain names of hosts and users. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error instanceof NotConnectedError ? error.cause : error);
  return code === undefined ? '' : ` (${code})`;
}

const codeOf = (error: unknown): string | undefined => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
};

const SYSTEM_CODE = /^E[A-Z_]+$/;
const DRIVER_MESSAGE =
  /^(Connection terminated|Connection ended|Client has encountered a connection error|Client was closed|Query read timeout|timeout expired)/;

const isOfDriver = (error: unknown): boolean =>
  error instanceof Error &&
  (SYSTEM_CODE.test(codeOf(error) ?? '') || DRIVER_MESSAGE.test(error.message));

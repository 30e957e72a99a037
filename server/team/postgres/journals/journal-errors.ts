import { ApiError } from '../../../api/errors';

/** @param what the part of the message after the name of the journal */
export const unreadableJournal = (
  forkId: string,
  what: string,
  options: ErrorOptions = {},
): ApiError =>
  new ApiError(
    'engineUnavailable',
    `the journal of the fork ${forkId} in the database ${what}`,
    options,
  );

export const damagedRow = (forkId: string, seq: number): ApiError =>
  unreadableJournal(
    forkId,
    `is damaged at entry ${seq}: restore a backup of the database, or delete the fork`,
  );

export const missingJournal = (forkId: string): ApiError =>
  unreadableJournal(forkId, 'is missing: restore a backup of the database, or delete the fork');

/** Another node may have taken the fork over. */
export const leaseLost = (forkId: string): ApiError =>
  unreadableJournal(forkId, 'is open on another node; try again');

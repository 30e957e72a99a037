import { systemLimit } from '../../api/errors';

/** @throws ApiError outOfFiles if a read failed because the process has no file descriptors left, which says nothing about the file */
export function requireDamage(error: unknown): void {
  const limit = systemLimit(error);
  if (limit) throw limit;
}

/**
 * Handles a failed read: the file counts as damaged, unless the process cannot read any file at the moment.
 * @param otherwise result for a damaged file
 * @throws ApiError outOfFiles
 */
export const asDamaged =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    requireDamage(error);
    return otherwise;
  };

import { systemLimit } from '../api/errors';

/** @throws ApiError outOfFiles where a read failed since the process has no file descriptors left, which says nothing of the file */
export function requireDamage(error: unknown): void {
  const limit = systemLimit(error);
  if (limit) throw limit;
}

/**
 * Handles a read that failed: the file counts as damaged, unless nothing can be read at the moment.
 * @param otherwise what the file is taken for
 * @throws ApiError outOfFiles
 */
export const asDamaged =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    requireDamage(error);
    return otherwise;
  };

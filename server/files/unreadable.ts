import { systemLimit } from '../api/errors';

/**
 * Handles a read that failed: the file counts as damaged, unless nothing can be read at the moment.
 * @param otherwise what the file is taken for
 * @throws ApiError outOfFiles where the process has no file descriptors left
 */
export const asDamaged =
  <T>(otherwise: T) =>
  (error: unknown): T => {
    const limit = systemLimit(error);
    if (limit) throw limit;
    return otherwise;
  };

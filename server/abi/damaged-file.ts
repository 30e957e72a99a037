import { ApiError } from '../api/errors';
import { DamagedFileError } from '../files/guarded-file';

/** @throws ApiError `storageDamaged`, so that clients are told which file it is */
export function usable<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    if (!(error instanceof DamagedFileError)) throw error;
    throw new ApiError('storageDamaged', error.message, { cause: error });
  });
}

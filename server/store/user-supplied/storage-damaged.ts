import { ApiError } from '../../api/errors';
import { DamagedFileError } from '../../kernel/files/recoverable-file';

/** Reports a damaged file by an error that names it. @throws ApiError `storageDamaged` */
export function usable<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    if (!(error instanceof DamagedFileError)) throw error;
    throw new ApiError('storageDamaged', error.message, { cause: error });
  });
}

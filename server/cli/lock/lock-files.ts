import { readFile, stat } from 'node:fs/promises';
import { replaceFile } from '../../kernel/files/replace-file';
import type { Lock } from '../../chains/lock/lock';
import { LockError, readLock } from '../../chains/lock/read-lock';
import { writeLock } from '../../chains/lock/write-lock';
import { UsageError } from '../errors/usage-error';

/** Largest lockfile that is read. */
const MAX_LOCK_BYTES = 256 * 1024 * 1024;

/** @throws UsageError that names the file, and the line of a damaged one */
export async function loadLock(file: string): Promise<Lock> {
  try {
    const { size } = await stat(file);
    if (size > MAX_LOCK_BYTES) {
      throw new UsageError(`${file} has ${size} bytes; accepted: up to ${MAX_LOCK_BYTES}`);
    }
    return readLock(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof LockError) throw new UsageError(`${file}, ${error.message}`);
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = code === 'ENOENT' ? '; forklens lock record writes one' : '';
    throw new UsageError(`the lockfile cannot be read: ${message}${hint}`);
  }
}

/** Writes the whole file or nothing. @returns its size in bytes @throws UsageError */
export async function saveLock(file: string, lock: Lock): Promise<number> {
  const text = writeLock(lock);
  try {
    await replaceFile(file, text);
  } catch (error) {
    throw new UsageError(`the lockfile cannot be written: ${(error as Error).message}`);
  }
  return Buffer.byteLength(text);
}

import { randomBytes, randomUUID } from 'node:crypto';
import { constants, copyFile, link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { healthSchema } from '../../api/routes';
import {
  SERVICE_RECORD_FILE,
  serviceRecordSchema,
  type ServiceRecord,
} from '../../api/service-record';
import { timeoutSignal } from '../../api/timeout-signal';
import { makeDirectory } from '../../kernel/files/make-directory';
import { replaceFile } from '../../kernel/files/replace-file';

const HEALTH_TIMEOUT_MS = 2_000;

/** The directory is in use by `holder`. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';

  constructor(
    directory: string,
    readonly record: ServiceRecord,
  ) {
    super(
      `the data directory ${directory} is in use by process ${record.pid}` +
        (record.url === null ? '' : ` at ${record.url}`),
    );
  }
}

/** The directory cannot be created, or no file can be written to it. */
export class UnusableDirectoryError extends Error {
  override readonly name = 'UnusableDirectoryError';

  /** @param cause the system's error */
  constructor(directory: string, cause: unknown) {
    const reason = (cause as Error).message.replace(/, \w+ '.*$/s, '');
    super(
      `the data directory ${directory} cannot be written (${reason}); accepted: a folder that you can write to`,
      { cause },
    );
  }
}

/** A process's lock on a data directory, stored in `service.json`. A killed holder does not block the next one. */
export class DataDirectoryLock {
  readonly #path: string;
  #record: ServiceRecord;

  private constructor(path: string, record: ServiceRecord) {
    this.#path = path;
    this.#record = record;
  }

  /** @throws DirectoryInUseError, UnusableDirectoryError */
  static async acquire(directory: string): Promise<DataDirectoryLock> {
    const path = join(directory, SERVICE_RECORD_FILE);
    const record: ServiceRecord = {
      pid: process.pid,
      url: null,
      instance: randomUUID(),
      adminToken: randomBytes(32).toString('hex'),
    };
    const prepared = `${path}.${record.instance}`;
    try {
      await makeDirectory(directory, 0o700);
      await writeFile(prepared, serialize(record), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw new UnusableDirectoryError(directory, error);
    }
    try {
      while (!(await linkIfFree(prepared, path))) await removeStale(directory, path);
    } finally {
      await rm(prepared, { force: true });
    }
    return new DataDirectoryLock(path, record);
  }

  get instance(): string {
    return this.#record.instance;
  }

  get adminToken(): string {
    return this.#record.adminToken;
  }

  /** Publishes the address of the holder; null: it is running and does not answer requests. */
  async publish(url: string | null): Promise<void> {
    this.#record = { ...this.#record, url };
    await replaceFile(this.#path, serialize(this.#record), { mode: 0o600 });
  }

  async release(): Promise<void> {
    const found = await readRecord(this.#path);
    if (found?.instance === this.#record.instance) await rm(this.#path, { force: true });
  }
}

const serialize = (record: ServiceRecord): string => `${JSON.stringify(record)}\n`;

/** A hard link creates the file with its whole content at once, and fails if the name is taken. */
async function linkIfFree(prepared: string, path: string): Promise<boolean> {
  try {
    await link(prepared, path);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
  }
  // Not every file system supports hard links.
  try {
    await copyFile(prepared, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/**
 * Removes the file of a dead holder. Renames it first and checks it again: another process may have removed it as well and hold the directory
 * now, or the holder may stop and have withdrawn its address since. In both cases, restores the file.
 */
async function removeStale(directory: string, path: string): Promise<void> {
  const record = await readRecord(path);
  if (record && (await isLive(record))) throw new DirectoryInUseError(directory, record);
  const retiredPath = `${path}.${randomUUID()}`;
  try {
    await rename(path, retiredPath);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = await readRecord(retiredPath);
  if (moved?.instance !== record?.instance || moved?.url !== record?.url) {
    await linkIfFree(retiredPath, path);
  }
  await rm(retiredPath, { force: true });
}

/** Undefined for a missing file and for one that Forklens did not write. */
async function readRecord(path: string): Promise<ServiceRecord | undefined> {
  try {
    return serviceRecordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * The system may have given the process id to another process, so a holder with an address must answer there. A timeout counts as live: the
 * holder may be busy.
 */
async function isLive(record: ServiceRecord): Promise<boolean> {
  if (!isRunning(record.pid)) return false;
  if (record.url === null) return record.pid !== process.pid;
  try {
    const response = await fetch(new URL('/health', record.url), {
      signal: timeoutSignal(HEALTH_TIMEOUT_MS),
    });
    const health = healthSchema.safeParse(await response.json());
    return health.success && health.data.instance === record.instance;
  } catch (error) {
    const isBusy = error instanceof DOMException && error.name === 'TimeoutError';
    return isBusy || isCertificateProblem(error);
  }
}

/** Something answers there over TLS, with a certificate that this process does not trust. */
function isCertificateProblem(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { code?: string };
  return /CERT|SIGNATURE|ISSUER/.test(code ?? '');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

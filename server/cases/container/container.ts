import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { LIMITS } from '../../api/limits';
import {
  headBytes,
  MAX_FIRST_LINE,
  readFirstLine,
  readHead,
  refusal,
  sha256,
  type HeadEntry,
} from './container-head';

/** Named contents. */
export type Entries = ReadonlyMap<string, Buffer>;

/** A container whose hashes were checked. */
export interface Container {
  /** SHA-256 of its head, which commits to each entry: hex. */
  readonly id: string;
  readonly entries: Entries;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** @returns the bytes of the file, and its id */
export async function writeContainer(entries: Entries): Promise<{ bytes: Buffer; id: string }> {
  const head: HeadEntry[] = [];
  const stored: Buffer[] = [];
  for (const [name, content] of entries) {
    const bytes = await compress(content, { level: 9 });
    stored.push(bytes);
    head.push({ name, sha256: sha256(content), size: content.length, stored: bytes.length });
  }
  const { bytes, id } = headBytes(head);
  return { bytes: Buffer.concat([bytes, ...stored]), id };
}

/**
 * Reads a file of anyone in bounded memory, and checks all hashes.
 * @throws ApiError `caseRefused` with the reason; `caseNotFound` if it cannot be read
 */
export async function readContainer(path: string): Promise<Container> {
  // A named pipe must not block the service.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw refusal(`it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
    },
  );
  try {
    return await readFrom(file);
  } finally {
    await file.close();
  }
}

async function readFrom(file: FileHandle): Promise<Container> {
  const found = await file.stat();
  if (!found.isFile()) throw refusal('it is not a file');
  const { size } = found;
  if (size > LIMITS.caseFile) {
    throw refusal(`it has ${size} bytes; accepted: up to ${LIMITS.caseFile}`);
  }
  const start = await bytesAt(file, 0, Math.min(MAX_FIRST_LINE, size));
  const { id, from, to } = readFirstLine(start);
  if (to > size) throw refusal('its head is cut off');
  const head = readHead(await bytesAt(file, from, to - from), id, to, size);
  const entries = new Map<string, Buffer>();
  let at = head.end;
  for (const entry of head.entries) {
    entries.set(entry.name, await contentOf(entry, await bytesAt(file, at, entry.stored)));
    at += entry.stored;
  }
  return { id, entries };
}

async function contentOf({ name, size, sha256: hash }: HeadEntry, stored: Buffer): Promise<Buffer> {
  // One byte more than it states is an error, so that a bomb is not unpacked.
  const content = await decompress(stored, { maxOutputLength: Math.max(size, 1) }).catch(() => {
    throw refusal(`its entry ${name} does not unpack to the ${size} bytes that its head states`);
  });
  if (content.length !== size) {
    throw refusal(`its entry ${name} has ${content.length} bytes, and its head states ${size}`);
  }
  if (sha256(content) !== hash) {
    throw refusal(`its entry ${name} does not have the hash that its head states`);
  }
  return content;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw refusal('it is cut off');
    done += bytesRead;
  }
  return buffer;
}

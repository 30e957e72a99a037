import { createHash } from 'node:crypto';
import { ApiError } from '../../api/errors';
import type { JournalContents, JournalEntry } from '../../forks/writes/journal';

/**
 * Increase it with each change of the format or of the meaning of an entry. The header of version 1 has neither the fork's id nor a
 * checksum.
 */
const VERSION = 2;

/** Length of the checksum and the space before an entry. */
const PREFIX = 9;

/** Content of a journal's first line. */
export type Header = Omit<JournalContents, 'entries'>;

/** JSON. Its last member is the checksum of the header without that member. */
export function headerLine(forkId: string, header: Header): Buffer {
  const members = { format: 'forklens-journal', version: VERSION, forkId, ...header };
  return Buffer.from(`${JSON.stringify({ ...members, checksum: checksumOf(members) })}\n`);
}

const checksumOf = (members: object): string => checksum(JSON.stringify(members));

/** The first 8 hex digits of the SHA-256 of the entry's JSON, a space, the JSON, and a line feed. */
export function entryLine(entry: JournalEntry): Buffer {
  const json = JSON.stringify(entry);
  return Buffer.from(`${checksum(json)} ${json}\n`);
}

/**
 * @param line without its line feed
 * @returns undefined if the line is damaged
 */
export function parseEntry(line: Buffer): JournalEntry | undefined {
  const json = line.subarray(PREFIX);
  return line.toString('latin1', 0, PREFIX) === `${checksum(json)} `
    ? (JSON.parse(json.toString('utf8')) as JournalEntry)
    : undefined;
}

/** @throws ApiError engineUnavailable if the header is damaged, of a newer version, or of another fork's journal */
export function parseHeader(forkId: string, line: Buffer): Header {
  let header: Record<string, unknown> | null;
  try {
    header = JSON.parse(line.toString('utf8')) as typeof header;
  } catch {
    throw damaged(forkId, 1);
  }
  const { checksum: expected, ...members } = header ?? {};
  const { format, version, nextSnapshot, executed } = members;
  if (format !== 'forklens-journal' || typeof version !== 'number') throw damaged(forkId, 1);
  if (version > VERSION) {
    throw unusable(
      forkId,
      `has version ${version}, and this version of Forklens supports versions up to ${VERSION}: use a newer Forklens, or delete the fork`,
    );
  }
  if (version !== 1) {
    if (expected !== checksumOf(members)) throw damaged(forkId, 1);
    if (members['forkId'] !== forkId) {
      throw unusable(
        forkId,
        `is the journal of the fork ${String(members['forkId'])}: restore its own, or delete the fork`,
      );
    }
  }
  return { nextSnapshot: Number(nextSnapshot), executed: Number(executed) };
}

/** @param what the part of the message after the file name */
export const unusable = (forkId: string, what: string): ApiError =>
  new ApiError(
    'engineUnavailable',
    `the journal of the fork, forks/${forkId}.journal in the data directory, ${what}`,
  );

export const damaged = (forkId: string, line: number): ApiError =>
  unusable(
    forkId,
    `is damaged at line ${line}: replace the file with a backup, or delete the fork`,
  );

const checksum = (json: string | Buffer): string =>
  createHash('sha256').update(json).digest('hex').slice(0, 8);

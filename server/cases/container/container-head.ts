import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LIMITS } from '../../api/limits';
import { ApiError } from '../../api/errors';

/** Version of the container. Increment it with every change of its form. */
const VERSION = 1;
const FIRST_LINE = /^forklens-case (\d{1,9}) ([0-9a-f]{64}) (\d{1,9})\n/;
/** Longest first line, in bytes. */
export const MAX_FIRST_LINE = 128;
const MAX_HEAD = 64 * 1024;
const MAX_ENTRIES = 32;

const entrySchema = z.strictObject({
  /** A name, never a path. */
  name: z.string().regex(/^[a-z][a-z-]{0,30}\.jsonl?$/),
  /** SHA-256 of the content, hex. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Bytes of the content. */
  size: z.int().min(0),
  /** Bytes in the file, compressed by gzip. */
  stored: z.int().min(1),
});
const headSchema = z.strictObject({ entries: z.array(entrySchema).min(1).max(MAX_ENTRIES) });
export type HeadEntry = z.infer<typeof entrySchema>;

export interface Head {
  /** SHA-256 of the head: it names the file, as it commits to each entry. */
  readonly id: string;
  readonly entries: readonly HeadEntry[];
  /** Where the first entry begins, in bytes. */
  readonly end: number;
}

/** Why a file is refused. */
export const refusal = (why: string): ApiError =>
  new ApiError('caseRefused', `the case file is refused: ${why}`);

/** The first line and the head, which the entries follow in order. */
export function headBytes(entries: readonly HeadEntry[]): { bytes: Buffer; id: string } {
  const text = `${JSON.stringify({ entries })}\n`;
  const id = sha256(text);
  return {
    id,
    bytes: Buffer.from(`forklens-case ${VERSION} ${id} ${Buffer.byteLength(text)}\n${text}`),
  };
}

/**
 * Length of the first line and of the head, in bytes.
 * @param start the first bytes of the file
 * @throws ApiError `caseRefused`
 */
export function readFirstLine(start: Buffer): { id: string; from: number; to: number } {
  const line = FIRST_LINE.exec(start.toString('latin1', 0, MAX_FIRST_LINE));
  if (!line) throw refusal('it does not begin as a case file does');
  const [first, version, id = '', length] = line;
  if (Number(version) !== VERSION) {
    throw refusal(`its form has version ${version ?? ''}; accepted: ${VERSION}`);
  }
  if (Number(length) > MAX_HEAD) {
    throw refusal(`its head has ${length ?? ''} bytes; accepted: up to ${MAX_HEAD}`);
  }
  return { id, from: first.length, to: first.length + Number(length) };
}

/**
 * Checks the head before any entry is read.
 * @param size of the file, in bytes
 * @throws ApiError `caseRefused`
 */
export function readHead(bytes: Buffer, id: string, end: number, size: number): Head {
  if (sha256(bytes) !== id)
    throw refusal('its head does not have the hash that its first line states');
  const found = headSchema.safeParse(jsonOf(bytes));
  if (!found.success) {
    const [issue] = found.error.issues;
    throw refusal(`its head is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  }
  const { entries } = found.data;
  if (new Set(entries.map(({ name }) => name)).size < entries.length) {
    throw refusal('two of its entries have the same name');
  }
  const content = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (content > LIMITS.caseContent) {
    throw refusal(`its entries have ${content} bytes; accepted: up to ${LIMITS.caseContent}`);
  }
  const stored = entries.reduce((sum, entry) => sum + entry.stored, end);
  if (stored !== size) throw refusal(`it has ${size} bytes, and its head describes ${stored}`);
  return { id, entries, end };
}

export const sha256 = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex');

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

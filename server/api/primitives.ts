import * as z from 'zod';
import { CONTRACT_LIMITS } from './schema-limits';

/** `0x`-prefixed hex text in lower case; any length. */
export type Hex = `0x${string}`;
/** A 20-byte account address: `0x` and 40 hex digits in lower case. */
export type Address = Hex;
/** A 32-byte hash: `0x` and 64 hex digits in lower case. */
export type Hash = Hex;

const lowerCaseHex = (pattern: RegExp, accepted: string) =>
  z
    .string({ error: accepted })
    .regex(pattern, { error: accepted })
    .transform((text) => text.toLowerCase() as Hex)
    .meta({ type: 'string', pattern: pattern.source, description: accepted });

/** Accepts upper and lower case, returns lower case. */
export const addressSchema = lowerCaseHex(
  /^0x[0-9a-fA-F]{40}$/,
  'an address: 0x and 40 hex digits',
);
const wordSchema = (what: string) =>
  lowerCaseHex(/^0x[0-9a-fA-F]{64}$/, `${what}: 0x and 64 hex digits`);
/** Accepts upper and lower case, returns lower case. */
export const hashSchema = wordSchema('a transaction hash');
export const blockHashSchema = wordSchema('a block hash');
export const topicSchema = wordSchema('a topic');

/** Where an operation on a chain applies. */
export const networkSchema = z.string().meta({ description: 'Slug of a chain, or id of a fork' });

export const projectIdSchema = z.string().meta({ description: 'project_ and 32 hex digits' });
export const forkIdSchema = z.string().meta({ description: 'fork_ and 32 hex digits' });

const MAX_NAME = CONTRACT_LIMITS.nameLength;
const NAME = `text of 1-${MAX_NAME} characters`;

/** A name shown to people: trimmed, no control characters. */
export const nameSchema = z
  .string({ error: NAME })
  .trim()
  .min(1, { error: NAME })
  .max(MAX_NAME, { error: NAME })
  .refine((text) => !/\p{Cc}/u.test(text), { error: 'text without control characters' })
  .meta({ description: `Name, ${NAME} without control characters` });

/** RFC 3339 in UTC, in the format of `Date.prototype.toISOString`. */
export const timeSchema = z
  .string()
  .meta({ format: 'date-time', description: 'Time of creation, RFC 3339 in UTC' });

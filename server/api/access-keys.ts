import * as z from 'zod';
import { scopeSchema, SCOPES } from './account';
import { nameSchema, timeSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const wholeNumber = (least: number, most: number) => {
  const accepted = `a whole number from ${least} to ${most}`;
  return z.int({ error: accepted }).min(least, { error: accepted }).max(most, { error: accepted });
};

export const expiresInDaysSchema = wholeNumber(1, CONTRACT_LIMITS.keyLifetime)
  .optional()
  .meta({ description: 'Days until the key expires; left out: as the key of the request' });

export const overlapSecondsSchema = wholeNumber(0, CONTRACT_LIMITS.keyOverlap)
  .default(86_400)
  .meta({ description: 'Seconds for which the old key stays valid (default: a day)' });

export const scopesSchema = z
  .array(scopeSchema)
  .min(1, { error: 'manage, analyze or both' })
  .max(SCOPES.length, { error: 'manage, analyze or both' })
  .meta({ description: 'What the key is for: manage, analyze or both' });

const createKeyBody = z.object({
  name: nameSchema,
  scopes: scopesSchema.default([...SCOPES]),
  expiresInDays: expiresInDaysSchema,
});
export type CreateKeyBody = z.output<typeof createKeyBody>;

const keySchema = z.object({
  keyId: z.string().meta({ description: 'key_ and 12 hex digits' }),
  name: z.string().meta({ description: 'As given when it was issued' }),
  scopes: z.array(scopeSchema).meta({ description: 'What it may be used for' }),
  createTime: timeSchema,
  expiresAt: timeSchema
    .optional()
    .meta({ description: 'From then on it is refused (40102); missing: it does not expire' }),
  lastUsedAt: timeSchema
    .optional()
    .meta({ description: 'To the minute; missing: it was never used' }),
  isExpired: z.boolean().meta({ description: 'Whether it has expired' }),
  replacedBy: z
    .string()
    .optional()
    .meta({ description: 'Id of the key that replaces it since a rotation' }),
});

const issuedKeySchema = keySchema.extend({
  key: z.string().meta({ description: 'The access key. It is shown this once' }),
});

export type ShownKey = z.output<typeof keySchema>;

const none = z.object({});
const oneKey = z.object({ key_id: z.string().meta({ description: 'keyId of the list' }) });

/** The routes of access keys in `ROUTES`. */
export const KEY_ROUTES = {
  listKeys: {
    method: 'get',
    paths: ['/v1/account/keys'],
    summary: 'List your access keys without their secret part, oldest first (ours)',
    scope: 'manage',
    params: none,
    query: none,
    body: none,
    data: z.array(keySchema),
    errors: [],
  },
  createKey: {
    method: 'post',
    paths: ['/v1/account/keys'],
    summary:
      'Issue an access key for yourself (ours). It cannot exceed the scopes or the lifetime of the key of the request',
    scope: 'manage',
    params: none,
    query: none,
    body: createKeyBody,
    data: issuedKeySchema,
    errors: ['keyLimit'],
  },
  revokeKey: {
    method: 'delete',
    paths: ['/v1/account/keys/:key_id'],
    summary: 'Revoke one of your access keys; it is useless at once (ours)',
    scope: 'manage',
    params: oneKey,
    query: none,
    body: none,
    data: z.null(),
    errors: ['keyNotFound'],
  },
  rotateKey: {
    method: 'post',
    paths: ['/v1/account/keys/:key_id/rotate'],
    summary:
      'Replace an access key by a new one, beside which it stays valid for some time (ours). Every key can rotate itself',
    scope: 'any',
    params: oneKey,
    query: none,
    body: z.object({ overlapSeconds: overlapSecondsSchema }),
    data: issuedKeySchema,
    errors: ['keyNotFound', 'keyReplaced'],
  },
} as const;

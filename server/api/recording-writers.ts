import * as z from 'zod';
import { addressSchema } from './primitives';
import { step, callIndex } from './recording';
import { sourcePlaceSchema } from './source-locations';
import { CONTRACT_LIMITS } from './schema-limits';

const SLOT = 'a slot: 0x and 64 hex digits';

/** What a transaction writes. */
const WRITTEN = ['storage', 'transient', 'balance', 'nonce', 'code', 'event'] as const;

const NAME = 'a name of Solidity';

const number = (what: string, least: number, most: number) => {
  const error = `${what}: a whole number from ${least} to ${most}`;
  return z
    .string({ error })
    .regex(/^[0-9]{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error })
    .meta({ type: 'integer', minimum: least, maximum: most, description: what });
};

const decimal = (what: string, pattern: RegExp) => {
  const error = `${what}: a decimal number in the smallest unit`;
  return z.string({ error }).regex(pattern, { error }).meta({ description: what });
};

/** Fields of the query that say of what the writers are asked for. Without any, they are those of all that the transaction writes. */
export const writersQuery = {
  address: addressSchema.optional().meta({ description: 'Account whose state it is' }),
  of: z.enum(WRITTEN).optional().meta({ description: 'Kind of what is written; default: all' }),
  slot: z
    .string({ error: SLOT })
    .regex(/^0x[0-9a-f]{64}$/i, { error: SLOT })
    .optional()
    .meta({ description: `In storage or transient storage, with \`address\`: ${SLOT}` }),
  offset: number('bytes from the right end of the slot; default 0', 0, 31).optional(),
  length: number(
    'of a value that shares its slot, its bytes: only writes that change one of them',
    1,
    32,
  ).optional(),
  slots: number(
    'slots from `slot` on, for structs and arrays; default 1',
    1,
    CONTRACT_LIMITS.watchedSlots,
  ).optional(),
  isBytes: z.enum(['true', 'false']).optional().meta({
    description: 'true: the slot is that of a `bytes` or `string`, whose content is meant, too',
  }),
  asset: addressSchema.optional().meta({
    description:
      'Token whose balance of `address` is meant: the slots of the token that hold it, where they are certain',
  }),
  tokenId: decimal('id of an ERC-721 or ERC-1155 token', /^[0-9]{1,78}$/).optional(),
  change: decimal(
    'net change of the balance, to find its slot among others of the account',
    /^-?[0-9]{1,78}$/,
  ).optional(),
  node: number('node of the invocation flow, of an event', 0, 999_999_999).optional(),
  variable: z
    .string({ error: NAME })
    .regex(/^[A-Za-z_$][\w$]{0,199}$/, { error: NAME })
    .optional()
    .meta({
      description: `An argument, a result or a local variable that is visible at \`step\`: ${NAME}. In unoptimized builds alone, from its declaration to the end of its scope`,
    }),
  step: number('step at which `variable` is looked up', 0, 999_999_999).optional(),
  call: number(
    'call of the call stack at `step` that `variable` is of; default: the innermost',
    0,
    999_999_999,
  ).optional(),
  access: z.enum(['write', 'read', 'readWrite']).default('write').meta({
    description:
      'write: writes that change the value; readWrite: also reads, and writes that change nothing',
  }),
  start: number('index of the first one; default 0', 0, 999_999_999).optional(),
  count: number('how many; default 100', 1, 1_000).optional(),
};

const writerSchema = z.object({
  kind: z.enum([...WRITTEN, 'local']).meta({ description: 'What is written or read' }),
  access: z.enum(['write', 'read']).meta({ description: 'Reads only where they are asked for' }),
  address: z.string().meta({ description: 'Account whose state it is; of an event its contract' }),
  slot: z.string().optional().meta({ description: 'In storage: 0x and 64 hex digits' }),
  step: step.nullable().meta({
    description: 'null: the transaction itself, before its first step, as with its value',
  }),
  call: callIndex,
  nodeId: z.int().nullable().meta({
    description:
      'Node of the invocation flow: of an event its own, of a balance the call that pays, otherwise the call that writes',
  }),
  contractName: z.string().meta({ description: 'Of the code that runs; empty where unknown' }),
  function: z.string().meta({ description: 'Empty where unknown' }),
  place: sourcePlaceSchema.optional().meta({ description: 'The statement, where it is known' }),
  uncertain: z.string().optional().meta({ description: 'Why `place` may be another statement' }),
  before: z.string().optional().meta({
    description:
      'Of a slot the word, of a balance wei, of a nonce the number, of a local variable its value as written in Solidity; left out for code, events and references, and where a local variable begins. The gas is paid in advance',
  }),
  after: z.string().optional().meta({ description: 'The same after the step' }),
  isUndone: z.boolean().meta({ description: 'A call that failed later undid it' }),
});

/** What wrote a part of the state. */
export const writersSchema = z.object({
  writers: z.array(writerSchema).meta({ description: 'A page of them, in order of execution' }),
  total: z.int().meta({ description: 'Number in all' }),
  build: z.enum(['executed', 'unoptimized']).meta({ description: 'Of which codes the steps are' }),
  unavailable: z.string().optional().meta({ description: 'Why there are none' }),
  incomplete: z.string().optional().meta({ description: 'What is not among them' }),
});

export type Writers = z.infer<typeof writersSchema>;
export type Writer = Writers['writers'][number];

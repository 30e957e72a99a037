import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { newCodeSchema } from './new-code';
import { addressSchema, hashSchema, networkSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';
import { simulateBody } from './simulate';
import { sourcePlaceSchema } from './source-locations';
import { upgradeCheckSchema } from './upgrade-check';

const NOBODY = `0x${'0'.repeat(40)}` as const;
const contract = z.object({ chain: networkSchema, address: addressSchema });
const NUMBER = 'a block number';
const blockNumber = z.int({ error: NUMBER }).min(0, { error: NUMBER });
const MOST = CONTRACT_LIMITS.regressTransactions;
const HASHES = `a list of 1-${MOST} transaction hashes`;
const LAST = `a whole number from 1 to ${CONTRACT_LIMITS.touchingTransactions}`;

export const touchingBody = z.strictObject({
  from: blockNumber.optional().meta({ description: 'First block; default: 0' }),
  to: blockNumber.optional().meta({ description: 'Last block; default: the newest' }),
  last: z
    .int({ error: LAST })
    .min(1, { error: LAST })
    .max(CONTRACT_LIMITS.touchingTransactions, { error: LAST })
    .default(200)
    .meta({ description: 'Most transactions: the newest' }),
});

export const touchingSchema = z.object({
  transactions: z.array(z.string()).meta({ description: 'Hashes, oldest first' }),
  by: z.enum(['index', 'fork', 'logs']).meta({
    description:
      'index: by the node’s index of transactions; logs: by the events of the contract: transactions without an event of it are not found; fork: all of the fork itself, and those before it by events',
  }),
  from: z.int().meta({ description: 'Oldest block that was searched' }),
  oldest: z
    .int()
    .nullable()
    .meta({ description: 'Block of the oldest transaction; null where there is none' }),
});

export const regressBody = z.strictObject({
  newCode: newCodeSchema.meta({ description: 'The fix' }),
  transactions: z
    .array(hashSchema, { error: HASHES })
    .min(1, { error: HASHES })
    .max(MOST, { error: HASHES })
    .meta({ description: 'Each is executed again on its own state, with both codes' }),
  init: z
    .strictObject(
      {
        data: simulateBody.shape.data
          .unwrap()
          .meta({ description: 'Call data of the initializer, 0x hex' }),
        from: addressSchema
          .default(NOBODY)
          .meta({ description: 'Its caller: msg.sender of the initializer' }),
      },
      { error: 'an object with data and from only' },
    )
    .optional()
    .meta({
      description:
        'A call of the contract with the new code before each transaction, as an upgrade makes it',
    }),
  simulations: z
    .boolean({ error: 'true or false' })
    .default(false)
    .meta({ description: 'Whether results have the bodies of `simulate` that repeat them' }),
});

export const VERDICTS = [
  'nowFails',
  'otherEffects',
  'nowSucceeds',
  'unknown',
  'otherGas',
  'same',
  'created',
] as const;

const sideSchema = z.object({
  status: z.boolean().meta({ description: 'false: it reverts' }),
  gasUsed: z.int().meta({ description: 'With refunds, as a receipt has it' }),
  failure: z.string().meta({ description: 'Where and why it fails; empty otherwise' }),
});

const newSideSchema = sideSchema.extend({
  place: sourcePlaceSchema.optional().meta({
    description:
      'The line at which it fails, where it succeeded before and the source of the new code is known',
  }),
});

const regressedSchema = z.object({
  transaction: z.string().meta({ description: 'Hash' }),
  blockNumber: z.int().meta({ description: 'Its block' }),
  verdict: z.enum(VERDICTS).meta({
    description:
      'nowFails, nowSucceeds: its outcome is another; otherEffects: it succeeds or fails as before with other events, payments or state, or for another reason; otherGas: with other gas alone; same; unknown: it could not be executed; created: it creates the contract, so that no code can be in its place',
  }),
  cause: z.string().meta({ description: 'Of the difference, in words; empty for the same' }),
  old: sideSchema.optional().meta({ description: 'With the old code' }),
  new: newSideSchema.optional().meta({ description: 'With the new code' }),
  simulation: z.record(z.string(), z.unknown()).optional().meta({
    description:
      'With `simulations`: body of `simulate` that executes it with the new code; left out after an initializer, and where nothing was compared',
  }),
});
export type Regressed = z.infer<typeof regressedSchema>;

export const regressionSchema = z.object({
  replaced: z
    .string()
    .meta({ description: 'Account whose code is replaced: of a proxy, its implementation' }),
  layout: upgradeCheckSchema.shape.items.meta({
    description: 'Differences of the storage layouts',
  }),
  results: z.array(regressedSchema).meta({ description: 'In the order of the request' }),
});
export type RegressBody = z.output<typeof regressBody>;
export type Regression = z.infer<typeof regressionSchema>;
export type TouchingBody = z.output<typeof touchingBody>;
export type Touching = z.infer<typeof touchingSchema>;

/** The routes of `ROUTES` that execute real transactions with new code. */
export const REGRESS_ROUTES = {
  findTouching: {
    method: 'post',
    paths: ['/v1/explorer/:chain/address/:address/regress/transactions'],
    summary: 'Transactions that touched a contract, for `regress` (ours)',
    scope: 'analyze',
    params: contract,
    query: z.object({}),
    body: touchingBody,
    data: touchingSchema,
    errors: CHAIN_ERRORS,
  },
  regress: {
    method: 'post',
    paths: ['/v1/explorer/:chain/address/:address/regress'],
    summary: 'Execute real transactions again with new code of a contract, and compare (ours)',
    scope: 'analyze',
    params: contract,
    query: z.object({}),
    body: regressBody,
    data: regressionSchema,
    errors: [...CHAIN_ERRORS, 'transactionNotFound', 'transactionPending'],
  },
} as const;

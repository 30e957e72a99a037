import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { listedTransactionSchema } from './chain-explorer';
import { addressSchema, blockHashSchema, networkSchema, topicSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const WATCHES = `1 to ${CONTRACT_LIMITS.watches} watches`;

const watchedSchema = z.discriminatedUnion(
  'kind',
  [
    z
      .strictObject({
        kind: z.literal('address').meta({ description: 'An address is watched' }),
        address: addressSchema,
      })
      .meta({
        description:
          'Transactions from or to it, or that deploy it, and logs that it emits or that name it',
      }),
    z
      .strictObject({
        kind: z.literal('event').meta({ description: 'An event is watched' }),
        topic: topicSchema.meta({ description: 'Hash of the signature of the event' }),
        address: addressSchema
          .optional()
          .meta({ description: 'Contract that emits it; missing: any contract' }),
      })
      .meta({ description: 'Transactions with such a log' }),
  ],
  { error: 'address, event' },
);
/** An address or an event whose transactions are looked for. */
export type Watched = z.infer<typeof watchedSchema>;

const NUMBER = 'a block number of 0 or more';
const number = z.int({ error: NUMBER }).min(0, { error: NUMBER }).meta({ description: NUMBER });
const headSchema = z.object({ number, hash: z.string().meta({ description: 'Block hash' }) });
/** A block up to which transactions were looked for. */
export type BlockMarker = z.infer<typeof headSchema>;

const activitySchema = z.object({
  head: headSchema.meta({ description: 'The newest block; `after` of the next request' }),
  blocks: z.int().meta({ description: 'Blocks that were read' }),
  skipped: z.int().meta({
    description: `Blocks since \`after\` that were not read: at most the newest ${CONTRACT_LIMITS.activityBlocks} are`,
  }),
  reorganized: z.boolean().meta({
    description: 'Whether the chain has replaced `after`; blocks below it are then read again',
  }),
  nativeSymbol: z.string().meta({ description: 'Of the native asset of the chain' }),
  labels: z
    .record(z.string(), z.string())
    .meta({ description: 'Names of senders and receivers, where known' }),
  count: z.int().meta({ description: 'Transactions that match' }),
  transactions: z
    .array(
      listedTransactionSchema.extend({
        watches: z
          .array(z.int())
          .meta({ description: 'Positions in `watches` of those that the transaction matches' }),
      }),
    )
    .meta({
      description: `The newest of them, newest first; at most ${CONTRACT_LIMITS.activityTransactions}`,
    }),
});
export type Activity = z.infer<typeof activitySchema>;

/** The route of `ROUTES` that looks for transactions of watched addresses and events. */
export const ACTIVITY_ROUTES = {
  findActivity: {
    method: 'post',
    paths: ['/v1/explorer/:chain/activity'],
    summary: 'Transactions in new blocks that touch addresses or emit events (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema }),
    query: z.object({}),
    body: z.object({
      after: z.strictObject({ number, hash: blockHashSchema }).optional().meta({
        description: '`head` of the last answer; missing: only the head is answered',
      }),
      watches: z
        .array(watchedSchema, { error: WATCHES })
        .min(1, { error: WATCHES })
        .max(CONTRACT_LIMITS.watches, { error: WATCHES })
        .meta({ description: WATCHES }),
    }),
    data: activitySchema,
    errors: CHAIN_ERRORS,
  },
} as const;

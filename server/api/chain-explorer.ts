import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { addressSchema, networkSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const none = z.object({});

const wholeNumber = (accepted: string) =>
  z
    .string({ error: accepted })
    .regex(/^[0-9]{1,15}$/, { error: accepted })
    .transform(Number)
    .meta({ type: 'string', description: accepted });

const limit = (maximum: number, usual: number) => {
  const error = `a whole number from 1 to ${maximum}`;
  return z.coerce
    .number({ error })
    .int({ error })
    .min(1, { error })
    .max(maximum, { error })
    .default(usual)
    .meta({ description: 'Entries of a page' });
};

const chainHealthSchema = z.object({
  chain: networkSchema,
  head: z.int().meta({ description: 'Number of the newest block' }),
  timestamp: z.int().meta({ description: 'Of the newest block, Unix seconds' }),
  latencyMs: z.int().meta({ description: 'Time that the node took to answer, milliseconds' }),
  client: z.string().meta({ description: 'Client of the node; empty where it does not say' }),
  stateDepth: z.int().nullable().meta({
    description: 'Blocks below the head whose state the node returns; null where unknown',
  }),
  debugApi: z.boolean().nullable().meta({
    description: 'Whether the node traces transactions; null where unknown',
  }),
});
export type ChainHealth = z.infer<typeof chainHealthSchema>;

const blockSchema = z.object({
  number: z.int().meta({ description: 'Block number' }),
  hash: z.string().meta({ description: 'Block hash' }),
  timestamp: z.int().meta({ description: 'Unix seconds' }),
  transactionCount: z.int().meta({ description: 'Transactions in the block' }),
  gasUsed: z.int().meta({ description: 'Gas of its transactions' }),
  gasLimit: z.int().meta({ description: 'Gas that it may use' }),
});
export type ListedBlock = z.infer<typeof blockSchema>;

const blocksSchema = z.object({
  head: z.int().meta({ description: 'Number of the newest block' }),
  blocks: z.array(blockSchema).meta({ description: 'Newest first' }),
  next: z.int().nullable().meta({ description: '`before` of the next page; null: none is left' }),
});
export type ListedBlocks = z.infer<typeof blocksSchema>;

const blockTransactionSchema = z.object({
  hash: z.string().meta({ description: 'Transaction hash' }),
  position: z.int().meta({ description: 'In the block, from 0' }),
  from: z.string().meta({ description: 'Sender' }),
  to: z.string().nullable().meta({ description: 'Receiver; null for a creation' }),
  created: z.string().nullable().meta({ description: 'Contract that it created' }),
  value: z.string().meta({ description: 'Ether, plain decimal' }),
  selector: z.string().meta({ description: 'Empty where the call data has none' }),
  method: z.string().meta({ description: 'Name of the method; empty where unknown' }),
  isGuessed: z
    .literal(true)
    .optional()
    .meta({ description: 'Only the selector matches the name of the method' }),
  status: z.boolean().nullable().meta({
    description: 'false: it reverted; null where the node does not say',
  }),
  gasUsed: z.int().nullable().meta({ description: 'null where the node does not say' }),
});
export type BlockTransaction = z.infer<typeof blockTransactionSchema>;
/** The name of a method by its selector. */
export type MethodName = Pick<BlockTransaction, 'method' | 'isGuessed'>;

const blockTransactionsSchema = z.object({
  block: blockSchema.meta({ description: 'The block' }),
  nativeSymbol: z.string().meta({ description: 'Of the native asset of the chain' }),
  labels: z
    .record(z.string(), z.string())
    .meta({ description: 'Names of senders and receivers, where known' }),
  transactions: z.array(blockTransactionSchema).meta({ description: 'By position' }),
  next: z.int().nullable().meta({ description: '`from` of the next page; null: none is left' }),
});
export type BlockTransactions = z.infer<typeof blockTransactionsSchema>;

/** A transaction in a list that is not of one block. */
export const listedTransactionSchema = blockTransactionSchema.extend({
  blockNumber: z.int().meta({ description: 'Block that holds it' }),
});

const addressTransactionsSchema = z.object({
  isIndexed: z.boolean().meta({
    description: 'false: the node has no index of transactions by address',
  }),
  nativeSymbol: z.string().meta({ description: 'Of the native asset of the chain' }),
  labels: z
    .record(z.string(), z.string())
    .meta({ description: 'Names of senders and receivers, where known' }),
  transactions: z
    .array(listedTransactionSchema)
    .meta({ description: 'Newest first; a page holds all of its last block' }),
  next: z.int().nullable().meta({ description: '`before` of the next page; null: none is left' }),
});
export type AddressTransactions = z.infer<typeof addressTransactionsSchema>;

const storyEntrySchema = z.object({
  id: z.string().meta({ description: 'Short name' }),
  title: z.string().meta({ description: 'What the transaction does' }),
  shows: z.string().meta({ description: 'What one can see in it' }),
  fails: z.boolean().meta({ description: 'Whether it fails on purpose' }),
  hash: z.string().meta({ description: 'Transaction hash' }),
  blockNumber: z.int().meta({ description: 'Block that holds it' }),
  position: z.int().meta({ description: 'In its block, from 0' }),
});
export type StoryTransaction = z.infer<typeof storyEntrySchema>;

const BLOCK = 'a block number (decimal, or 0x hex), or a block hash';

/** The routes of `ROUTES` that walk a chain. */
export const CHAIN_EXPLORER_ROUTES = {
  getChainHealth: {
    method: 'get',
    paths: ['/v1/explorer/:chain/health'],
    summary: 'The newest block of a chain, and what its node can do (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema }),
    query: none,
    body: none,
    data: chainHealthSchema,
    errors: CHAIN_ERRORS,
  },
  listBlocks: {
    method: 'get',
    paths: ['/v1/explorer/:chain/blocks'],
    summary: 'The newest blocks of a chain, page by page (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema }),
    query: z.object({
      before: wholeNumber('a block number: only older blocks are listed').optional(),
      limit: limit(CONTRACT_LIMITS.blocksPage, 20),
    }),
    body: none,
    data: blocksSchema,
    errors: CHAIN_ERRORS,
  },
  listBlockTransactions: {
    method: 'get',
    paths: ['/v1/explorer/:chain/block/:block/transactions'],
    summary: 'The transactions of a block, page by page (ours)',
    scope: 'analyze',
    params: z.object({
      chain: networkSchema,
      block: z
        .string({ error: BLOCK })
        .regex(/^([0-9]{1,15}|0x[0-9a-fA-F]{1,12}|0x[0-9a-fA-F]{64})$/, { error: BLOCK })
        .meta({ description: BLOCK }),
    }),
    query: z.object({
      from: wholeNumber('position of the first transaction').optional(),
      limit: limit(CONTRACT_LIMITS.blockTransactionsPage, 25),
    }),
    body: none,
    data: blockTransactionsSchema,
    errors: [...CHAIN_ERRORS, 'blockNotFound'],
  },
  listAddressTransactions: {
    method: 'get',
    paths: ['/v1/explorer/:chain/address/:address/transactions'],
    summary: 'Transactions of an address, where the node has an index of them (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema, address: addressSchema }),
    query: z.object({
      before: wholeNumber('a block number: only older transactions are listed').optional(),
      limit: limit(CONTRACT_LIMITS.blocksPage, 25),
    }),
    body: none,
    data: addressTransactionsSchema,
    errors: CHAIN_ERRORS,
  },
  resolveName: {
    method: 'get',
    paths: ['/v1/explorer/:chain/name/:name'],
    summary: 'The address of an ENS name, by the registry on the chain (ours)',
    scope: 'analyze',
    params: z.object({
      chain: networkSchema,
      name: z
        .string()
        .max(255, { error: 'a name of up to 255 characters' })
        .meta({ description: 'Such as vitalik.eth; it is normalised by ENSIP-15' }),
    }),
    query: none,
    body: none,
    data: z.object({
      name: z.string().meta({ description: 'Normalised' }),
      address: z.string().meta({ description: 'What its resolver on the chain gives' }),
    }),
    errors: CHAIN_ERRORS,
  },
  listStory: {
    method: 'get',
    paths: ['/v1/explorer/:chain/story'],
    summary: 'The transactions that a built-in chain was made for; none of other chains (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema }),
    query: none,
    body: none,
    data: z.array(storyEntrySchema),
    errors: ['chainNotFound'],
  },
} as const;

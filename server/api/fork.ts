import * as z from 'zod';
import { pageLimit } from './page-limit';
import { heightSchema } from './height';
import { namedRulesSchema } from './named-rules';
import { forkIdSchema, hashSchema, nameSchema, timeSchema } from './primitives';

const ACCOUNTS = '"test", "none", or { "mnemonic": "…" } with an English phrase of BIP-39';

/** The accounts whose keys a fork has. A mnemonic is secret: `writeOnly` keeps it out of messages. */
export const forkAccountsSchema = z
  .union(
    [
      z.enum(['test', 'none']),
      z.strictObject({ mnemonic: z.string().meta({ description: 'English phrase of BIP-39' }) }),
    ],
    {
      error: ACCOUNTS,
    },
  )
  .meta({
    description:
      'Ours: the accounts that eth_accounts names and the fork signs for: the ten of the usual test mnemonic, whose keys ' +
      'are public; of a mnemonic of your own; or none. Each has 10,000 ether on the fork',
    writeOnly: true,
  });

const POSITION = 'a whole number from 0 to the number of transactions in the block';

export const createForkBody = z.object({
  chainId: z
    .int({ error: 'a whole number: the id of a configured chain' })
    .positive({ error: 'a positive whole number' })
    .meta({ description: 'Id of a configured chain' }),
  height: heightSchema
    .default('safe')
    .meta({ description: 'The block to fork from: a number (hex or decimal) or a tag' }),
  position: z
    .int({ error: POSITION })
    .min(0, { error: POSITION })
    .optional()
    .meta({ description: 'Transactions of the block that are applied; omitted: all of them' }),
  name: nameSchema,
  antiReplay: z.boolean({ error: 'true or false' }).default(false).meta({
    description:
      'true: the fork has the chain id 999<chainId>, and refuses what is signed for the real chain',
  }),
  chain: z
    .string({ error: 'the slug of a configured chain' })
    .optional()
    .meta({ description: 'Ours: names the chain where several share the chainId' }),
  accounts: forkAccountsSchema.default('test'),
  rules: namedRulesSchema.optional(),
});

export const branchForkBody = z.object({
  name: nameSchema,
  transaction: hashSchema.optional().meta({
    description:
      'Hash of a transaction of the other fork: the new fork is right before it; left out: it has all that was done on the other one',
  }),
});

/** `sleeping`: no engine is running; the next request starts one. */
export const forkStateSchema = z
  .enum(['creating', 'running', 'sleeping', 'failed', 'deleting'])
  .meta({ description: 'sleeping: no engine runs; the next request starts one' });

const foreignTransactionSchema = z.object({
  index: z.int().meta({ description: 'In its block' }),
  hash: z.string().meta({ description: 'Transaction hash' }),
  type: z.string().meta({ description: 'EIP-2718, hex' }),
  applied: z.boolean().meta({
    description:
      "What it changed is in the fork's state, as reported by the forked chain's node; false: it was left out",
  }),
});

/** Comparison of the replayed transactions of block N with the originals. */
export const forkReplaySchema = z.object({
  faithful: z.boolean().meta({
    description:
      'The execution gave the status, gas used and logs of every original transaction, and the fork has its state, its own accounts apart',
  }),
  executor: z.enum(['anvil', 'process']).optional().meta({
    description:
      'What executed them: an anvil process, or the service itself, by rules that anvil does not have. Missing in older forks',
  }),
  firstDifference: z.string().optional().meta({ description: 'The first that differs, in words' }),
  foreign: z.array(foreignTransactionSchema).optional().meta({
    description:
      'Transactions that only their chain can execute: of types of its own, or unsigned. There where the block has such',
  }),
});

/** The journal of a fork, which contains all changes made on it. */
export const forkJournalSchema = z.object({
  bytes: z.int().meta({ description: 'Size of the journal on disk' }),
  maxBytes: z.int().meta({ description: 'Changes are refused from there on (50701)' }),
  isNearlyFull: z.boolean().meta({ description: 'Four fifths of what is allowed are used' }),
});

/** The common fields of operations 5, 7 and 8. All fields after `rpc` are additions to the interface. */
export const forkSchema = z.object({
  forkId: forkIdSchema,
  chainId: z.int().meta({ description: 'As sent at creation' }),
  name: z.string().meta({ description: 'As sent at creation' }),
  rpc: z.string().meta({
    description:
      'JSON-RPC address over HTTP and WebSocket; the URL is the credential. Empty for viewers of the project',
  }),
  rpcChainId: z
    .int()
    .meta({ description: 'What eth_chainId answers: 999<chainId> with antiReplay' }),
  chain: z.string().meta({ description: 'Slug of the forked chain' }),
  height: z.string().meta({ description: 'Block number, hex' }),
  position: z.int().nullable().meta({ description: 'null: after the whole block' }),
  antiReplay: z
    .boolean()
    .meta({ description: 'Whether the fork has a chain id of its own, 999<chainId>' }),
  accounts: z.enum(['test', 'mnemonic', 'none']).optional().meta({
    description:
      'Ours: whose keys the fork holds: the public test accounts, those of a mnemonic of your own, or nobody',
  }),
  snapshotId: z
    .string()
    .meta({ description: 'The default snapshot: evm_revert takes it at any time' }),
  createTime: timeSchema,
  state: forkStateSchema,
  replay: forkReplaySchema.optional().meta({
    description:
      'Ours: only where the position is inside a block, so that transactions were replayed',
  }),
  warnings: z.array(z.string()).optional().meta({
    description:
      "Ours: where the fork cannot be what the chain is: rules that are guessed, and rules of the chain's own; and what to know of its accounts",
  }),
  failure: z
    .string()
    .optional()
    .meta({ description: 'Ours: why the fork is `failed`. The next request to it tries again' }),
  transactionCount: z
    .int()
    .optional()
    .meta({ description: 'Ours: transactions made on the fork; missing where it is not known' }),
  journal: forkJournalSchema.optional().meta({
    description: 'Ours: the space that the changes of the fork take; missing where it is not known',
  }),
});

export const forkTransactionSchema = z.object({
  hash: z.string().meta({ description: 'Transaction hash' }),
  blockNumber: z.int().meta({ description: 'Block of the fork that holds it' }),
  transactionIndex: z.int().meta({ description: 'In its block' }),
  timestamp: z.int().meta({ description: 'Unix seconds of the block' }),
  from: z.string().meta({ description: 'Sender' }),
  to: z.string().nullable().meta({ description: 'null for a creation' }),
  value: z.string().meta({ description: 'Ether, plain decimal' }),
  selector: z.string().meta({ description: '0x and 8 digits, or empty' }),
  method: z
    .string()
    .meta({ description: 'Name of the called function where it is known, or empty' }),
  isGuessed: z
    .literal(true)
    .optional()
    .meta({ description: 'Ours: only the selector matches the name of the method' }),
  status: z.boolean().meta({ description: 'false: it reverted' }),
  gasUsed: z.int().meta({ description: 'Of the receipt' }),
  warning: z
    .string()
    .optional()
    .meta({ description: 'Ours: why a part of it is valid on the real chain as well' }),
});

export const forkTransactionsQuery = z.object({
  limit: pageLimit('Transactions of a page'),
  cursor: z
    .string()
    .regex(/^[0-9]+-[0-9]+$/, { error: 'nextCursor of the page before' })
    .optional()
    .meta({ description: 'nextCursor of the page before; left out: the first page' }),
});

export const forkTransactionsSchema = z.object({
  total: z.int().meta({ description: 'Transactions on all pages' }),
  transactions: z.array(forkTransactionSchema).meta({ description: 'Newest first' }),
  nextCursor: z.string().nullable().meta({ description: 'null on the last page' }),
});

export type CreateForkBody = z.infer<typeof createForkBody>;
export type BranchForkBody = z.infer<typeof branchForkBody>;
export type Fork = z.infer<typeof forkSchema>;
export type ForkAccounts = z.infer<typeof forkAccountsSchema>;
export type ForkJournal = z.infer<typeof forkJournalSchema>;
export type ForkReplay = z.infer<typeof forkReplaySchema>;
export type ForkState = z.infer<typeof forkStateSchema>;
export type ForkTransaction = z.infer<typeof forkTransactionSchema>;
export type ForkTransactions = z.infer<typeof forkTransactionsSchema>;

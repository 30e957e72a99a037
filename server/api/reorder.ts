import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { heightSchema } from './height';
import { addressSchema, hashSchema, networkSchema } from './primitives';
import { regressionSchema, VERDICTS } from './regress';
import { CONTRACT_LIMITS } from './schema-limits';
import { simulateBody } from './simulate';

const { shape } = simulateBody;
const MOST = CONTRACT_LIMITS.reorderChanges;
const CHANGES = `a list of up to ${MOST} changes`;
const POSITION = 'a position in the block, from 0';
/** Fields of a transaction that a change may set. */
export const FIELDS = 'to, value, data, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas';

const position = z
  .int({ error: POSITION })
  .min(0, { error: POSITION })
  .meta({ description: 'Of the transaction in the block as it was, from 0' });
const before = z.int({ error: POSITION }).min(0, { error: POSITION }).meta({
  description:
    'It goes right before the transaction that was at this position; the number of transactions: at the end',
});

/** What a transaction that nobody signed consists of. */
const insertedSchema = z.strictObject(
  {
    from: addressSchema.meta({ description: 'Sender; its key is not needed' }),
    to: shape.to,
    value: shape.value,
    data: shape.data,
    gas: shape.gas,
    gasPrice: shape.gasPrice.meta({ description: 'Wei; default: the base fee of the block' }),
    maxFeePerGas: shape.maxFeePerGas,
    maxPriorityFeePerGas: shape.maxPriorityFeePerGas,
    accessList: shape.accessList,
  },
  { error: `an object with from, ${FIELDS}, accessList only` },
);

const fieldsSchema = z.strictObject(
  {
    to: addressSchema.optional().meta({ description: 'Receiver' }),
    value: shape.value.unwrap().optional().meta({ description: 'Wei, 0x hex or decimal' }),
    data: shape.data,
    gas: shape.gas,
    gasPrice: shape.gasPrice.meta({
      description: 'Wei; of a transaction with a maximum fee, the maximum and the tip',
    }),
    maxFeePerGas: shape.maxFeePerGas,
    maxPriorityFeePerGas: shape.maxPriorityFeePerGas,
  },
  { error: `an object with ${FIELDS} only` },
);

const SIGNED = 'a signed transaction as it is sent to a node, 0x hex';
const bytes = z.string({ error: SIGNED }).regex(/^0x([0-9a-fA-F]{2})+$/, { error: SIGNED });

const kind = <Name extends string>(name: Name, text: string) =>
  z.literal(name).meta({ description: text });

const changeSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: kind('drop', 'Leaves a transaction out'), position }),
    z.strictObject({ kind: kind('move', 'Puts a transaction elsewhere'), position, before }),
    z.strictObject({
      kind: kind('set', 'Gives a transaction other fields'),
      position,
      fields: fieldsSchema.meta({ description: 'What it has otherwise' }),
    }),
    z.strictObject({
      kind: kind('insert', 'Adds a transaction'),
      before,
      transaction: insertedSchema.meta({ description: 'As if its sender had signed it' }),
    }),
    z.strictObject({
      kind: kind('insertMined', 'Adds a transaction of another block'),
      before,
      hash: hashSchema.meta({
        description: 'Of a transaction of another block, which its sender sends here instead',
      }),
    }),
    z.strictObject({
      kind: kind('insertSigned', 'Adds a signed transaction, such as a pending one'),
      before,
      raw: bytes.meta({ description: `${SIGNED}; its nonce is not used` }),
    }),
  ],
  { error: 'a change of kind drop, move, set, insert, insertMined or insertSigned' },
);

export const reorderBody = z.strictObject({
  block: heightSchema.meta({ description: 'The block' }),
  changes: z
    .array(changeSchema, { error: CHANGES })
    .max(MOST, { error: CHANGES })
    .meta({ description: 'Empty: the block is executed as it was, and compared with the chain' }),
  state: z
    .boolean({ error: 'true or false' })
    .default(false)
    .meta({ description: 'true: the answer lists the state that the other block leaves' }),
});

const amountSchema = z.object({
  asset: z.string().meta({ description: 'Token; of the native asset, the address of 0xee bytes' }),
  symbol: z.string().optional().meta({ description: 'Left out where unknown' }),
  decimals: z.int().optional().meta({ description: 'Left out where unknown' }),
  tokenId: z.string().optional().meta({ description: 'Decimal; of a token that has ids' }),
  before: z.string().meta({
    description: 'What happened: the net gain, decimal, in the smallest unit; negative: a loss',
  }),
  after: z.string().meta({ description: 'What would have happened: the same in the other block' }),
});

const gainSchema = z.object({
  address: z.string().meta({ description: 'Account, lower case' }),
  amounts: z.array(amountSchema).meta({ description: 'Of the assets whose net gains differ' }),
});

const { old: sideSchema } = regressionSchema.shape.results.element.shape;

export const REORDER_VERDICTS = [
  'inserted',
  'dropped',
  'invalid',
  ...VERDICTS.filter((verdict) => verdict !== 'created' && verdict !== 'unknown'),
] as const;

const otherTransactionSchema = z.object({
  hash: z.string().meta({ description: 'Empty for one that nobody signed' }),
  from: z.string().meta({ description: 'Sender, lower case' }),
  to: z.string().nullable().meta({ description: 'Receiver; null for a creation' }),
  was: z.int().nullable().meta({ description: 'Position in the block as it was; null: inserted' }),
  is: z.int().nullable().meta({ description: 'Position in the other block; null: not in it' }),
  isMoved: z.boolean().meta({ description: 'Whether the request moves it' }),
  isSet: z.boolean().meta({ description: 'Whether the request changes its fields' }),
  verdict: z.enum(REORDER_VERDICTS).meta({
    description:
      'invalid: no block could contain it there, by its nonce, the balance of its sender or its fees; the others as in `regress`',
  }),
  cause: z.string().meta({ description: 'Of the difference, in words; empty for the same' }),
  before: sideSchema.meta({ description: 'What happened' }),
  after: sideSchema.meta({ description: 'What would have happened' }),
  gains: z.array(gainSchema).meta({ description: 'Accounts that gain otherwise by it, with fees' }),
});

const leftSchema = z.object({
  address: z.string().meta({ description: 'Account, lower case' }),
  balance: z.string().optional().meta({ description: 'Wei, 0x hex' }),
  nonce: z.string().optional().meta({ description: '0x hex' }),
  code: z.string().optional().meta({ description: '0x hex' }),
  slots: z.record(z.string(), z.string()).meta({ description: 'Words by slot' }),
});

export const otherBlockSchema = z.object({
  chain: z
    .string()
    .meta({ description: 'Whose block it is: the slug of a chain, or the id of a fork' }),
  blockNumber: z.int().meta({ description: 'The block' }),
  blockHash: z.string().meta({ description: 'Its hash' }),
  executor: z.literal('process').meta({ description: 'What executed both: the service itself' }),
  check: z
    .object({
      receipts: z.enum(['equal', 'different']).meta({
        description: 'Status, gas and logs of the block as it was, beside the receipts',
      }),
      state: z.enum(['equal', 'different', 'unchecked']).meta({
        description: 'What the block as it was leaves, beside the state of the chain',
      }),
      difference: z.string().optional().meta({ description: 'The first one, in words' }),
    })
    .meta({ description: 'The block as it was, executed in the same way' }),
  transactions: z
    .array(otherTransactionSchema)
    .meta({ description: 'In the order of the other block; those that are not in it at the end' }),
  accounts: z
    .array(gainSchema)
    .meta({ description: 'Accounts that gain otherwise by the whole block, with fees' }),
  omitted: z.int().optional().meta({ description: 'Further accounts that are not listed' }),
  gasUsed: z
    .object({
      before: z.int().meta({ description: 'Of the block as it was' }),
      after: z.int().meta({ description: 'Of the other block' }),
      limit: z.int().meta({ description: 'Gas limit of the block' }),
    })
    .meta({ description: 'Of all transactions' }),
  notes: z.array(z.string()).meta({ description: 'What the answer does not prove, in words' }),
  state: z
    .array(leftSchema)
    .optional()
    .meta({ description: 'What the other block leaves otherwise; if it was asked for' }),
  stateSince: z.enum(['block', 'parent']).optional().meta({
    description:
      'What `state` is compared with: the state after the block as it was, or, for blocks of forks and case files, the one before it',
  }),
});

export type ReorderBody = z.output<typeof reorderBody>;
export type ReorderRequest = z.input<typeof reorderBody>;
export type BlockChange = ReorderBody['changes'][number];
export type InsertedTransaction = z.output<typeof insertedSchema>;
export type ChangedFields = z.output<typeof fieldsSchema>;
export type OtherBlock = z.infer<typeof otherBlockSchema>;
export type OtherTransaction = z.infer<typeof otherTransactionSchema>;
export type OtherGain = z.infer<typeof gainSchema>;
export type LeftAccount = z.infer<typeof leftSchema>;

/** The route of `ROUTES` that executes a past block with other transactions. */
export const REORDER_ROUTES = {
  reorder: {
    method: 'post',
    paths: ['/v1/explorer/:chain/reorder'],
    summary: 'Execute a past block with other transactions or in another order, and compare (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema }),
    query: z.object({}),
    body: reorderBody,
    data: otherBlockSchema,
    errors: [...CHAIN_ERRORS, 'rulesUnsupported', 'transactionNotFound', 'transactionPending'],
  },
} as const;

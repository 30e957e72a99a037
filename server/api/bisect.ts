import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { heightSchema } from './height';
import { addressSchema, networkSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const none = z.object({});
const MAX = CONTRACT_LIMITS.expressionLength;
const EXPRESSION = `an expression of 1-${MAX} characters`;
const FUNCTIONS = `up to ${CONTRACT_LIMITS.bisectNames} signatures, such as "function totalAssets() view returns (uint256)"`;
const NAMES = `an object of up to ${CONTRACT_LIMITS.bisectNames} addresses by name`;
const NAME = 'a name: letters, digits and _, not a digit first';

export const bisectBody = z.strictObject({
  expression: z
    .string({ error: EXPRESSION })
    .min(1, { error: EXPRESSION })
    .max(MAX, { error: EXPRESSION })
    .meta({
      description:
        'In Solidity, over the state: view functions, state variables, `.balance`, `.code`, `.codehash`, `slot(account, number)`, `nonce(account)`, and operators',
    }),
  from: heightSchema.meta({ description: 'Block after which the value is read first' }),
  to: heightSchema.default('latest').meta({ description: 'Block after which it is read last' }),
  contract: addressSchema
    .optional()
    .meta({ description: 'Whose functions and variables need no name before them' }),
  names: z
    .record(z.string().regex(/^[A-Za-z_]\w{0,63}$/, { error: NAME }), addressSchema, {
      error: NAMES,
    })
    .refine((names) => Object.keys(names).length <= CONTRACT_LIMITS.bisectNames, { error: NAMES })
    .default({})
    .meta({ description: 'Contracts that the expression names' }),
  functions: z
    .array(z.string({ error: FUNCTIONS }).max(500, { error: FUNCTIONS }), { error: FUNCTIONS })
    .max(CONTRACT_LIMITS.bisectNames, { error: FUNCTIONS })
    .default([])
    .meta({ description: 'Signatures of functions whose interface is not known' }),
  plan: z.enum(['one', 'all', 'every']).default('one').meta({
    description:
      'one: a change, by bisection; all: each change that the reads of bisections show; every: reads the value after every block',
  }),
});

export const outcomeSchema = z.object({
  value: z.string().meta({ description: 'As written in Solidity; empty where there is none' }),
  type: z.string().meta({ description: 'Solidity type; empty where there is no value' }),
  unavailable: z.string().optional().meta({ description: 'Why there is no value' }),
});

const stateChangeSchema = z.object({
  address: z.string().meta({ description: 'Account, lower case' }),
  part: z.enum(['slot', 'balance', 'nonce', 'code']).meta({ description: 'What of it changed' }),
  slot: z.string().optional().meta({ description: '0x and 64 hex digits' }),
  variables: z
    .array(z.string())
    .optional()
    .meta({ description: 'Names of the variables in the slot, where the layout is known' }),
  before: z.string().meta({ description: '0x hex' }),
  after: z.string().meta({ description: '0x hex' }),
});

const writeSchema = z.object({
  address: z.string().meta({ description: 'Account whose storage was written' }),
  slot: z.string().meta({ description: '0x and 64 hex digits' }),
  step: z.int().meta({ description: 'Of the recording' }),
  nodeId: z
    .int()
    .optional()
    .meta({ description: 'Call of the invocation flow that wrote; left out where unknown' }),
  contract: z.string().meta({ description: 'Name of the code that wrote; empty where unknown' }),
  function: z.string().meta({ description: 'Empty where unknown' }),
  file: z.string().optional().meta({ description: 'As compiled; left out where unknown' }),
  line: z.int().optional().meta({ description: 'From 1' }),
  text: z.string().meta({ description: 'What was written, in words' }),
});

const paymentSchema = z.object({
  nodeId: z.int().meta({ description: 'Call of the invocation flow' }),
  from: z.string().meta({ description: 'Payer' }),
  to: z.string().meta({ description: 'Receiver; empty where unknown' }),
  value: z.string().meta({ description: 'Wei, decimal' }),
  contract: z
    .string()
    .meta({ description: 'Name of the code that made the call; empty where unknown' }),
  file: z.string().optional().meta({ description: 'As compiled; left out where unknown' }),
  line: z.int().optional().meta({ description: 'From 1' }),
});

const changeSchema = z.object({
  blockNumber: z.int().meta({ description: 'Block in which the value changed' }),
  blockHash: z.string().meta({ description: 'Its hash' }),
  timestamp: z.int().meta({ description: 'Its time, Unix seconds' }),
  transaction: z
    .object({
      hash: z.string().meta({ description: 'Transaction after which the value was another' }),
      position: z.int().meta({ description: 'In its block, from 0' }),
      from: z.string().meta({ description: 'Sender' }),
      to: z.string().nullable().meta({ description: 'Receiver; null for a creation' }),
    })
    .nullable()
    .meta({
      description:
        'null: no transaction, but the block: its number or time, its withdrawals or rewards',
    }),
  before: outcomeSchema.meta({ description: 'Before the transaction' }),
  after: outcomeSchema.meta({ description: 'After the transaction' }),
  state: z.array(stateChangeSchema).meta({
    description: 'What the transaction changed of the state that the value depends on',
  }),
  writes: z.array(writeSchema).meta({
    description: 'Writes to these slots, in order, with the call and the line; up to 20',
  }),
  payments: z.array(paymentSchema).meta({
    description:
      'Where a balance changed: calls that paid to or from the account, in order; up to 20',
  }),
  whyNoWrites: z.string().optional().meta({ description: 'Why the writes are not known' }),
  executor: z.enum(['process', 'anvil', 'none']).meta({
    description: 'What executed the block; none: it has this transaction alone',
  }),
  difference: z.string().optional().meta({
    description:
      'What the execution of the block did in another way than the chain; left out: status, gas and logs equal the receipts',
  }),
});

export const bisectionSchema = z.object({
  expression: z.string().meta({ description: 'As given' }),
  from: z.int().meta({ description: 'Number of the first block' }),
  to: z.int().meta({ description: 'Number of the last block' }),
  start: outcomeSchema.meta({ description: 'After the first block' }),
  end: outcomeSchema.meta({ description: 'After the last block' }),
  changes: z.array(changeSchema).meta({ description: 'In order' }),
  omitted: z
    .int()
    .optional()
    .meta({ description: 'Further changes that were seen and not traced' }),
  mayMiss: z.string().meta({ description: 'Which changes the plan does not see, in words' }),
  reads: z.int().meta({ description: 'State reads that the chain’s node answered' }),
});

export type BisectBody = z.output<typeof bisectBody>;
export type Bisection = z.infer<typeof bisectionSchema>;
export type BisectChange = z.infer<typeof changeSchema>;
export type BisectWrite = z.infer<typeof writeSchema>;
export type BisectStateChange = z.infer<typeof stateChangeSchema>;

/** The routes of `ROUTES` that ask the past. */
export const BISECT_ROUTES = {
  bisect: {
    method: 'post',
    paths: ['/v1/explorer/:chain/bisect'],
    summary: 'The transaction after which the value of an expression changed (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema }),
    query: none,
    body: bisectBody,
    data: bisectionSchema,
    errors: [...CHAIN_ERRORS, 'unchanged'],
  },
} as const;

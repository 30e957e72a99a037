import * as z from 'zod';
import { netSchema } from './net-amount';
import { calledFields, gainMeansSchema, partySchema } from './summary-parties';

/**
 * What a clause of the sentence says. The amounts of every kind are those of transfers that the state does not contradict, else measured
 * ones. `took`: the actor moved tokens of the counterparty by an approval or a right of its own. `gained`: the actor and the contracts that it
 * created ended with more, and with less of nothing.
 */
export const CLAUSE_KINDS = [
  'sent',
  'paid',
  'received',
  'took',
  'swapped',
  'bought',
  'sold',
  'minted',
  'burned',
  'wrapped',
  'unwrapped',
  'bridged',
  'deposited',
  'withdrew',
  'provided',
  'removed',
  'borrowed',
  'repaid',
  'liquidated',
  'claimed',
  'approved',
  'revoked',
  'voted',
  'deployed',
  'upgraded',
  'gained',
  'called',
] as const;

/** Protocols whose pools are recognised by their events. */
export const VENUE_KINDS = [
  'uniswapV2',
  'uniswapV3',
  'uniswapV4',
  'curve',
  'balancer',
  'other',
] as const;

const address = (description: string): z.ZodString => z.string().meta({ description });
const nodeIds = z
  .array(z.int())
  .meta({ description: 'Nodes of the invocation flow that show it, the most telling first' });

const quantitySchema = z.object({
  asset: address('Token contract; 0xeeee… for the native asset'),
  standard: z
    .enum(['native', 'erc20', 'erc721', 'erc1155'])
    .meta({ description: 'Kind of the asset' }),
  rawAmount: z.string().meta({ description: 'In the smallest unit, plain decimal' }),
  amount: z.string().meta({ description: 'By decimals; empty where they are unknown' }),
  tokenId: z.string().optional().meta({ description: 'Of ERC-721 and ERC-1155, decimal' }),
  symbol: z.string().optional().meta({ description: 'Where the asset has one' }),
  decimals: z.int().optional().meta({ description: 'Where they are known' }),
  isClaimed: z
    .literal(true)
    .optional()
    .meta({ description: 'Only events say so: the state after the transaction could not be read' }),
});

const isClaimed = z
  .literal(true)
  .optional()
  .meta({ description: 'Only an event says so: the state could not be read' });

const clauseSchema = z.object({
  kind: z.enum(CLAUSE_KINDS).meta({ description: 'What happened' }),
  actor: address('Account that did it'),
  gave: z.array(quantitySchema).meta({
    description: 'What the actor gave, or lets another spend; of a vote and a call nothing',
  }),
  got: z.array(quantitySchema).meta({ description: 'What the actor, or the recipient, got' }),
  omitted: z
    .int()
    .optional()
    .meta({ description: 'Number of amounts beyond those listed; left out for none' }),
  counterparty: address(
    'Recipient, payer, spender, protocol, proxy, or called, created or upgraded contract',
  ).optional(),
  recipient: address('Who got it, where that is not the actor').optional(),
  implementation: address('Of an upgrade: the new code').optional(),
  venues: z
    .array(
      z.object({
        address: address('The pool'),
        kind: z.enum(VENUE_KINDS).meta({ description: 'By the form of its events' }),
      }),
    )
    .optional()
    .meta({ description: 'Pools of a swap' }),
  venueCount: z.int().optional().meta({ description: 'Number of all pools of a swap' }),
  method: z
    .string()
    .optional()
    .meta({ description: 'Of a call: name of the method or its selector; empty where none' }),
  isGuessed: z
    .literal(true)
    .optional()
    .meta({ description: 'Of a call: a database guesses the name of the method' }),
  proposal: z.string().optional().meta({ description: 'Of a vote: id of the proposal, decimal' }),
  support: z.string().optional().meta({ description: 'Of a vote: as the contract counts it' }),
  bridge: z.string().optional().meta({ description: 'Of a known bridge: its name' }),
  means: z
    .array(gainMeansSchema)
    .optional()
    .meta({ description: 'Of a gain: what it came by; left out where that is not known' }),
  ...calledFields,
  isAtLeast: z
    .literal(true)
    .optional()
    .meta({ description: 'Of an attempt: `got` is the least that was demanded' }),
  isUnlimited: z
    .literal(true)
    .optional()
    .meta({ description: 'Of an approval: any amount, or every token of the contract' }),
  isClaimed,
  nodeIds,
});

const contradictionSchema = z.object({
  kind: z.enum(['balance', 'allowance']).meta({
    description: 'balance: the change of a balance or an owner; allowance: a right to spend',
  }),
  account: address('Whose balance it is, or who is said to have granted the right'),
  spender: address('Of a right').optional(),
  asset: quantitySchema.shape.asset,
  standard: quantitySchema.shape.standard,
  tokenId: quantitySchema.shape.tokenId,
  symbol: quantitySchema.shape.symbol,
  decimals: quantitySchema.shape.decimals,
  claimed: netSchema.meta({ description: 'What events claim; 0 where none does' }),
  measured: netSchema.meta({
    description: 'The measured change; of a right what may be spent after the transaction',
  }),
  nodeIds,
});

const standingApprovalSchema = z.object({
  owner: address('Whose tokens they are'),
  spender: address('Who may spend them'),
  quantity: quantitySchema.meta({ description: 'Amount or token' }),
  isUnlimited: z
    .literal(true)
    .optional()
    .meta({ description: 'Any amount, or every token of the contract' }),
  isRevoked: z.literal(true).optional().meta({ description: 'The right ended' }),
  nodeIds,
});

export const CAUSE_KINDS = [
  'allowance',
  'balance',
  'nativeBalance',
  'deadline',
  'owner',
  'paused',
  'slippage',
] as const;

const causeSchema = z.object({
  kind: z.enum(CAUSE_KINDS).meta({ description: 'Which condition did not hold' }),
  nodeId: z.int().meta({ description: 'Call whose condition it is' }),
  contract: address('Contract that demands it'),
  account: address('Owner of the tokens, or caller').optional(),
  spender: address('Of an allowance').optional(),
  owner: address('Of a contract that only its owner may call').optional(),
  has: quantitySchema.optional().meta({ description: 'What there was' }),
  needs: quantitySchema.optional().meta({ description: 'What the call needed' }),
  missing: quantitySchema.optional().meta({ description: 'The difference of the two' }),
  deadline: z.int().optional().meta({ description: 'Unix seconds' }),
  blockTime: z.int().optional().meta({ description: 'Unix seconds' }),
  proof: z.enum(['read', 'trace', 'block', 'error']).meta({
    description:
      'read: the contract was asked in the state before the transaction, and nothing before the failure called it; trace: a call of the trace answered it; block: the time of the block; error: the arguments of a standard error, which equal those of the call',
  }),
  proofNodeId: z.int().optional().meta({ description: 'Call of the trace that proves it' }),
});

const failedCallSchema = z.object({
  nodeId: z.int().meta({ description: 'Of the invocation flow' }),
  contract: address('Whose code failed; empty for a creation of an unknown address'),
  method: z.string().meta({ description: 'Name of the method or its selector; or empty' }),
  reason: z.string().meta({ description: 'In words, or the error of the engine' }),
});

const failureSchema = z.object({
  chain: z
    .array(failedCallSchema)
    .meta({ description: 'From the innermost failing call to the top call' }),
  omitted: z.int().meta({ description: 'Calls left out in the middle of the chain' }),
  causes: z.array(causeSchema).meta({
    description: 'Conditions that are proved not to have held; empty where none is proved',
  }),
});

export const FINDING_KINDS = [
  'eventsContradicted',
  'imitatedToken',
  'delegatedAndEmptied',
  'delegatedToUnknown',
  'controlAndFunds',
  'approvedAndSpent',
  'reentered',
  'flashLoan',
  'reserveMoved',
  'approvalDrained',
  'approvalToAccount',
  'sandwiched',
  'ownerChanged',
  'implementationChanged',
  'freshDelegatecall',
  'selfDestruct',
  'decimalsDisputed',
  'transferFee',
  'unlimitedApproval',
] as const;

export const disputedDecimalsSchema = z
  .object({
    own: z.int().meta({ description: 'What the token answers' }),
    listed: z.int().meta({ description: 'What a list of well-known tokens of the chain says' }),
  })
  .meta({ description: 'Of a token whose answer differs from the list: neither is used' });

const findingSchema = z.object({
  kind: z.enum(FINDING_KINDS).meta({ description: 'What was found' }),
  contract: address('Contract that it is about'),
  account: address(
    'Borrower, owner, caller, beneficiary, or sender of the trades around it',
  ).optional(),
  other: address('Spender, new owner, new implementation or code').optional(),
  before: address('Earlier owner').optional(),
  recipient: address('Who got the amounts, where that is another account').optional(),
  amounts: z.array(quantitySchema).meta({
    description:
      'Borrowed, drained, approved, moved or paid amount (2^256-1: any); of a transfer fee what was asked for, then what arrived; of events that are not the balances what they claim, then what was measured',
  }),
  decimals: disputedDecimalsSchema.optional(),
  isClaimed,
  transactions: z
    .array(
      z.object({
        hash: z.string().meta({ description: 'Of a transaction of the same block' }),
        position: z.int().meta({ description: 'Its index in the block' }),
      }),
    )
    .optional()
    .meta({ description: 'Of a sandwich: the one before and the one after' }),
  nodeIds,
});

/** What a transaction did, in clauses that a surface puts into words; why it failed; what an auditor should look at. */
export const summarySchema = z.object({
  clauses: z.array(clauseSchema).meta({
    description:
      'In execution order. Of a transaction that failed: what was tried, by its top call',
  }),
  moreClauses: z.int().meta({ description: 'Number of clauses beyond those listed' }),
  contradictions: z
    .array(contradictionSchema)
    .optional()
    .meta({ description: 'What events claim and the state contradicts; left out for none' }),
  moreContradictions: z
    .int()
    .optional()
    .meta({ description: 'Number of contradictions beyond those listed; left out for none' }),
  parties: z.array(partySchema).optional().meta({
    description:
      'Accounts that matter, with what they ended with: the sender; the receiver and contracts of the sender if their balances changed; who gained and lost most. Left out where no balance changed',
  }),
  approvals: z.array(standingApprovalSchema).optional().meta({
    description:
      'Rights that stand at the end, with the measured amounts, those of other accounts too; left out for none',
  }),
  moreApprovals: z
    .int()
    .optional()
    .meta({ description: 'Number of rights beyond those listed; left out for none' }),
  failure: failureSchema.optional().meta({ description: 'Of a transaction that failed' }),
  swallowed: z
    .array(failedCallSchema.extend({ by: z.int().meta({ description: 'Call that went on' }) }))
    .meta({ description: 'The first calls that failed while their caller went on' }),
  swallowedCount: z.int().meta({ description: 'Number of all such calls' }),
  findings: z.array(findingSchema).meta({ description: 'Security findings, each with evidence' }),
  moreFindings: z.int().meta({ description: 'Number of findings beyond those listed' }),
});

export type Summary = z.infer<typeof summarySchema>;
export type SummaryClause = z.infer<typeof clauseSchema>;
export type SummaryQuantity = z.infer<typeof quantitySchema>;
export type SummaryFailure = z.infer<typeof failureSchema>;
export type SummaryCause = z.infer<typeof causeSchema>;
export type SummaryContradiction = z.infer<typeof contradictionSchema>;
export type SummaryApproval = z.infer<typeof standingApprovalSchema>;
export type FailedCall = z.infer<typeof failedCallSchema>;
export type Finding = z.infer<typeof findingSchema>;
export type ClauseKind = (typeof CLAUSE_KINDS)[number];
export type VenueKind = (typeof VENUE_KINDS)[number];

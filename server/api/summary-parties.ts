import * as z from 'zod';
import { paramSchema } from './decoding';
import { netSchema } from './net-amount';

/** Why a party is among those that matter. */
export const PARTY_ROLES = ['sender', 'receiver', 'largestGain', 'largestLoss'] as const;

const partyChangeSchema = z.object({
  asset: z.string().meta({ description: 'Token contract; 0xeeee… for the native asset' }),
  standard: z
    .enum(['native', 'erc20', 'erc721', 'erc1155'])
    .meta({ description: 'Kind of the asset' }),
  rawAmount: z.string().meta({ description: 'Magnitude in the smallest unit, plain decimal' }),
  amount: z.string().meta({ description: 'Magnitude by decimals; empty where they are unknown' }),
  sign: z.boolean().meta({ description: 'true: net inflow' }),
  tokenId: z.string().optional().meta({ description: 'Of ERC-721 and ERC-1155, decimal' }),
  symbol: z.string().optional().meta({ description: 'Where the asset has one' }),
  decimals: z.int().optional().meta({ description: 'Where they are known' }),
  isClaimed: z
    .literal(true)
    .optional()
    .meta({ description: 'Only events say so: the balance could not be read' }),
  claimed: netSchema.optional().meta({
    description:
      'What events claim, where the measured change is another; 0 where none reports a change',
  }),
  value: z.string().optional().meta({
    description: 'Magnitude in USD at the time of the block; left out where no price is known',
  }),
});

export const partySchema = z.object({
  account: z.string().meta({ description: 'Lower case' }),
  roles: z.array(z.enum(PARTY_ROLES)).meta({
    description:
      'largestGain, largestLoss: of an asset, by its amount and not by its value, so that no price is needed',
  }),
  isOwn: z
    .literal(true)
    .optional()
    .meta({ description: 'A contract that the sender created, in this transaction or before' }),
  changes: z.array(partyChangeSchema).meta({
    description: 'Net changes of its balances without the fee; measured ones where they differ',
  }),
  moreChanges: z
    .int()
    .optional()
    .meta({ description: 'Number of changes beyond those listed; left out for none' }),
});

/** Of a gain: what it came by. */
export const GAIN_MEANS = ['flashLoan', 'swap', 'reentrancy'] as const;

export const gainMeansSchema = z.object({
  kind: z.enum(GAIN_MEANS).meta({ description: 'What the sender used' }),
  count: z.int().meta({ description: 'How often' }),
});

/** Of a call of a contract with a known source: what it was given, and what it changed. */
export const stateChangeSchema = z.object({
  name: z.string().meta({ description: 'Of the variable, or of an element of it' }),
  type: z.string().meta({ description: 'As in the source' }),
  before: z.string().meta({ description: 'Value before the transaction, as text' }),
  after: z.string().meta({ description: 'Value after the transaction, as text' }),
});

export const calledFields = {
  arguments: z.array(paramSchema).optional().meta({
    description: 'Of a call of a contract whose interface is known: the first arguments',
  }),
  moreArguments: z
    .int()
    .optional()
    .meta({ description: 'Number of arguments beyond those listed; left out for none' }),
  changes: z.array(stateChangeSchema).optional().meta({
    description: 'Of the same: variables of the called contract that the transaction changed',
  }),
  moreChanges: z
    .int()
    .optional()
    .meta({ description: 'Number of variables beyond those listed; left out for none' }),
};

export type Party = z.infer<typeof partySchema>;
export type PartyRole = (typeof PARTY_ROLES)[number];
export type PartyChange = z.infer<typeof partyChangeSchema>;
export type GainMeans = z.infer<typeof gainMeansSchema>;
export type StateChange = z.infer<typeof stateChangeSchema>;

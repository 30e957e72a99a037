import * as z from 'zod';

/** The proved part of an analysis. */
export const verificationLevelSchema = z.enum(['state-proved', 'receipt', 'none']).meta({
  description:
    'state-proved: nothing that could change the result was skipped, and the result was compared with the state of the chain; receipt: status, gas and logs equal the receipt, the rest rests on a guess; none: the trace differs from the receipt',
});

/** Of answers that an engine or the service executed. */
export const warningsSchema = z.array(z.string()).meta({
  description:
    'Of an execution here, not by the node: what is assumed about the rules of the block and since when they are unchecked, and what is not executed as on the chain; in words',
});

/** Origin of a trace and its verification level. Everything in this file is an addition to the interface. */
export const traceVerificationSchema = z.object({
  level: verificationLevelSchema,
  proof: z.enum(['running', 'failed']).optional().meta({
    description:
      'At the level receipt: whether a proof is being made. The event `analysis` of /v1/events reports its end',
  }),
  reason: z.string().optional().meta({ description: 'Why the level is not higher, in words' }),
  corrected: z.string().optional().meta({
    description:
      'What was wrong in an earlier answer at the level receipt: the proof contradicted it and replaced it',
  }),
  method: z
    .enum(['debug', 'replay'])
    .meta({ description: "debug: recorded by the network's node; replay: executed again here" }),
  executor: z.enum(['node', 'anvil', 'process']).optional().meta({
    description:
      "What executed it: the chain's node, an anvil process, or the service itself, by rules that anvil does not have",
  }),
  applied: z.int().optional().meta({
    description:
      'Of a replay: how many of the earlier transactions of the block were executed. Fewer than its position: the level is at most receipt',
  }),
  warnings: warningsSchema.optional(),
  faithful: z.boolean().meta({ description: 'Status, gas used and every log equal the receipt' }),
  firstDifference: z.string().optional().meta({ description: 'In words' }),
});

export const measuredSchema = z.object({
  rawAmount: z.string().meta({ description: 'Magnitude in the smallest unit, plain decimal' }),
  sign: z.boolean().meta({ description: 'true: net inflow' }),
});

const unreportedChangeSchema = measuredSchema.extend({
  account: z.string().meta({ description: 'Whose balance it is' }),
  address: z.string().meta({ description: 'Token, or the native asset' }),
  tokenId: z.string().optional().meta({ description: 'Of ERC-721 and ERC-1155, decimal' }),
});

const proofSchema = z.enum(['verified', 'different', 'unchecked']);

/** Verification of balance changes by the state before and after the transaction. */
export const balanceVerificationSchema = traceVerificationSchema.extend({
  native: proofSchema.meta({
    description: 'Whether native changes equal the difference of the state less fees',
  }),
  tokens: proofSchema.meta({
    description:
      'Whether token changes equal what balanceOf and ownerOf answer before and after, and every changed slot of these tokens belongs to an account that was asked about',
  }),
  compared: z
    .object({
      native: z.int().meta({ description: 'Number of native balances' }),
      tokens: z.int().meta({ description: 'Number of balances and owners of tokens' }),
    })
    .optional()
    .meta({ description: 'How much was compared: a proof over 0 balances proves nothing' }),
  untold: z.array(unreportedChangeSchema).optional().meta({
    description: 'Balance changes that no event or call explains',
  }),
});

export const priceOriginSchema = z.object({
  value: z.string().meta({ description: 'USD for one whole unit, plain decimal' }),
  source: z.string().meta({ description: 'Such as chainlink or defillama' }),
  time: z.int().meta({ description: 'When the source set it, Unix seconds' }),
});

export type Measured = z.infer<typeof measuredSchema>;
export type UnreportedChange = z.infer<typeof unreportedChangeSchema>;
export type VerificationLevel = z.infer<typeof verificationLevelSchema>;
export type TraceVerification = z.infer<typeof traceVerificationSchema>;
export type BalanceVerification = z.infer<typeof balanceVerificationSchema>;

/** How balances were compared with the state, of a transaction or a simulation. */
export type BalanceComparison = {
  readonly [Key in 'native' | 'tokens' | 'compared' | 'untold']?:
    BalanceVerification[Key] | undefined;
};

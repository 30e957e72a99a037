import * as z from 'zod';

/** Where a trace comes from, and whether it equals the receipt. Ours, like all of this file. */
export const traceVerificationSchema = z.object({
  method: z
    .enum(['debug', 'replay'])
    .meta({ description: "debug: recorded by the network's node; replay: executed again here" }),
  applied: z.int().optional().meta({
    description:
      'Of a replay: how many of the transactions in front of this one were executed. Fewer than its position: accepted because status, gas and every log equal the receipt',
  }),
  faithful: z.boolean().meta({ description: 'Status, gas used and every log equal the receipt' }),
  firstDifference: z.string().optional().meta({ description: 'In words' }),
});

export const measuredSchema = z.object({
  rawAmount: z.string().meta({ description: 'Magnitude in the smallest unit, plain decimal' }),
  sign: z.boolean().meta({ description: 'true: net inflow' }),
});

const untoldChangeSchema = measuredSchema.extend({
  account: z.string(),
  address: z.string().meta({ description: 'Token, or the native asset' }),
});

const proofSchema = z.enum(['verified', 'different', 'unchecked']);

/** How far balance changes are proved by the state before and after the transaction. */
export const balanceVerificationSchema = traceVerificationSchema.extend({
  native: proofSchema.meta({
    description: 'Whether native changes equal the difference of the state less fees',
  }),
  tokens: proofSchema.meta({
    description: 'Whether ERC-20 changes equal what balanceOf answers before and after',
  }),
  untold: z.array(untoldChangeSchema).optional().meta({
    description: 'Balances that changed though no event or call tells of it',
  }),
});

export const priceOriginSchema = z.object({
  value: z.string().meta({ description: 'USD for one whole unit, plain decimal' }),
  source: z.string().meta({ description: 'Such as chainlink or defillama' }),
  time: z.int().meta({ description: 'When the source set it, Unix seconds' }),
});

export type Measured = z.infer<typeof measuredSchema>;
export type UntoldChange = z.infer<typeof untoldChangeSchema>;
export type TraceVerification = z.infer<typeof traceVerificationSchema>;
export type BalanceVerification = z.infer<typeof balanceVerificationSchema>;

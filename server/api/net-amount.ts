import * as z from 'zod';

/** A net change: a magnitude with its direction. */
export const netSchema = z
  .object({
    rawAmount: z.string().meta({ description: 'Magnitude in the smallest unit, plain decimal' }),
    amount: z.string().meta({ description: 'Magnitude by decimals; empty where they are unknown' }),
    sign: z.boolean().meta({ description: 'true: net inflow; also for 0' }),
  })
  .meta({ id: 'NetAmount' });

export type NetAmount = z.infer<typeof netSchema>;

/** Signed plain decimal of a change, by decimals where they are known: `-1.5`. */
export const netText = ({ sign, amount, rawAmount }: NetAmount): string =>
  `${sign || rawAmount === '0' ? '' : '-'}${amount || rawAmount}`;

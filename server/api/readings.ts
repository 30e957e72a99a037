import * as z from 'zod';

/** What a number in a value means: an amount of an asset, or a time. */
export const readingSchema = z
  .object({
    path: z.string().meta({
      description: 'Place inside the value, such as [0].amountIn; empty: the whole of it',
    }),
    asset: z
      .string()
      .optional()
      .meta({ description: 'Of an amount: token contract; 0xeeee… for the native asset' }),
    symbol: z.string().optional().meta({ description: 'Of the asset, where it has one' }),
    amount: z.string().optional().meta({
      description: 'In whole units, plain decimal; `max` for the largest number of its type',
    }),
    time: z.string().optional().meta({
      description: 'Time in UTC, such as 2026-01-31T12:00:00Z; `max` for the largest number',
    }),
  })
  .meta({ id: 'Reading' });
export type Reading = z.infer<typeof readingSchema>;

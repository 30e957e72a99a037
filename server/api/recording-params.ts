import * as z from 'zod';
import { blockHashSchema, hashSchema, networkSchema } from './primitives';
import { MOST_RECORDED_NUMBER } from './recorded-number';

/** A transaction whose recording is asked for. */
export const recordedTransaction = z.object({
  chain: networkSchema,
  transaction: hashSchema.meta({ description: 'Hash, or the id of a recorded simulation' }),
});

/** A client that goes on with a recording names its block: nothing else is answered. */
const build = z.enum(['executed', 'unoptimized']).optional().meta({
  description:
    'unoptimized: steps of builds of the same sources without the optimizer, where they can be made and have the same effects: `build` of the answer says whether; default: executed',
});
export const ofBuild = z.object({ build });

export const ofBlock = z.object({
  build,
  block: blockHashSchema.optional().meta({
    description:
      'Block that was recorded: its recording is answered as long as it is kept, also after the block was replaced; default: the block of the transaction',
  }),
});

/** A whole number in a query or a path. */
export const whole = (what: string): z.ZodType<number, string> => {
  const error = `${what}: a whole number from 0 to ${MOST_RECORDED_NUMBER}`;
  return z
    .string({ error })
    .regex(/^[0-9]{1,9}$/, { error })
    .transform(Number)
    .meta({ type: 'integer', minimum: 0, maximum: MOST_RECORDED_NUMBER, description: what });
};

export const atStep = recordedTransaction.extend({ step: whole('number of a step') });

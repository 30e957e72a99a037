import * as z from 'zod';
import { callIndex, step } from './recording';
import { sourcePlaceSchema } from './source-locations';

const lineSchema = z.object({
  step: step.meta({ description: 'Of the statement that logs' }),
  call: callIndex.meta({ description: 'Call that the statement is in' }),
  contract: z.int().nullable().meta({
    description: 'Index of the code in `contracts` of the recording; null where there is none',
  }),
  text: z.string().meta({
    description: 'Formatted as by Hardhat and Foundry, without control characters',
  }),
  place: sourcePlaceSchema.optional().meta({ description: 'The statement, where it is known' }),
});

/** What a transaction logs by `console.log` of Hardhat and Foundry, also in calls that fail. */
export const consoleSchema = z.object({
  lines: z.array(lineSchema).meta({ description: 'The first ones, in order of execution' }),
  total: z.int().meta({ description: 'Number in all' }),
});

export type ConsoleLines = z.infer<typeof consoleSchema>;

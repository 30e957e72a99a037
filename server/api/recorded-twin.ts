import * as z from 'zod';

export const twinSchema = z
  .object({
    same: z.int().meta({
      description: 'Effects that the unoptimized builds have as the executed codes do, in order',
    }),
    of: z.int().meta({
      description:
        'Effects of the calls whose code can be built: calls with their data and value, events, ends with their data, and slots as others see them',
    }),
    reason: z.string().optional().meta({ description: 'Why none is stepped through' }),
    contracts: z
      .array(
        z.object({
          address: z.string().meta({ description: 'Account of the code, lower case' }),
          isCreation: z.boolean().meta({ description: 'Whether it is creation code' }),
          name: z.string().meta({ description: 'Name of the contract; empty where unknown' }),
          settings: z.string().optional().meta({
            description: 'How it was built, such as “without the optimizer”; left out: it was not',
          }),
          reason: z.string().optional().meta({
            description: 'Why the executed code is stepped through; left out: the build is',
          }),
          step: z.int().optional().meta({
            description: 'Step of the executed code with the first effect that differs',
          }),
          missing: z.string().optional().meta({
            description: 'Version of solc that has to be installed, such as 0.8.30',
          }),
          isGasUnproved: z.boolean().optional().meta({
            description: 'Whether values of gasleft() in the build may be others',
          }),
        }),
      )
      .meta({ description: 'Codes with known sources that are not such a build already' }),
  })
  .meta({ description: 'What became of builds without the optimizer, where they were asked for' });

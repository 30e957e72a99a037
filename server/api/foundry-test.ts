import * as z from 'zod';

/** A Foundry test of a transaction, as a file. */
export const foundryTestSchema = z.object({
  name: z.string().meta({ description: 'Name of the file, such as Transaction0x1a2b3c4d.t.sol' }),
  text: z.string().meta({
    description:
      'Solidity source without imports. The test reads ETH_RPC_URL: a node that has the state of the block',
  }),
});

export type FoundryTest = z.infer<typeof foundryTestSchema>;

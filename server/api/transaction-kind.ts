import * as z from 'zod';

/** Services of earlier versions do not say it. */
const SIGNATURE = 'Of the signature: 0x hex';
const wei = z.string().meta({ description: 'Wei, plain decimal' });

/** Fields that only some types of transactions have; undefined for the others. An addition to the interface. */
export const transactionKindSchema = z.object({
  accessList: z
    .array(
      z.object({
        address: z.string().meta({ description: 'Account that is warm from the start' }),
        storageKeys: z.array(z.string()).meta({ description: 'Its slots that are warm, too' }),
      }),
    )
    .optional()
    .meta({ description: 'EIP-2930' }),
  blobs: z
    .object({
      versionedHashes: z.array(z.string()).meta({ description: 'One for each blob' }),
      maxFeePerGas: wei.meta({ description: 'Wei per blob gas that the sender accepts' }),
      gasUsed: z.int().nullable().meta({ description: 'null where the node does not report it' }),
      gasPrice: wei.meta({
        description: 'Wei, plain decimal; empty where the node does not report it',
      }),
    })
    .optional()
    .meta({ description: 'EIP-4844' }),
  authorizations: z
    .array(
      z.object({
        authority: z
          .string()
          .meta({ description: 'Who signed it; empty where the signature is not valid' }),
        address: z.string().meta({ description: 'Contract whose code the account takes on' }),
        chainId: z.string().meta({ description: 'Plain decimal; 0: every chain' }),
        nonce: z.string().meta({ description: 'Plain decimal' }),
        yParity: z.string().optional().meta({ description: SIGNATURE }),
        r: z.string().optional().meta({ description: SIGNATURE }),
        s: z.string().optional().meta({ description: SIGNATURE }),
      }),
    )
    .optional()
    .meta({ description: 'EIP-7702' }),
  extra: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Fields that only rollups have, as reported by their node' }),
});

export type TransactionKind = z.infer<typeof transactionKindSchema>;

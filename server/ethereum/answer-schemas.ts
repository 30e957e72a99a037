import * as z from 'zod';

/*
 * What every node answers of transactions, receipts and blocks (execution-apis), as far as nothing can be done without it;
 * nodes tell more. The types are in `types.ts`.
 */

export const quantitySchema = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
export const bytesSchema = z.string().regex(/^0x([0-9a-fA-F]{2})*$/);
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

export const minedTransactionSchema = z.object({
  hash,
  blockHash: hash,
  blockNumber: quantitySchema,
  transactionIndex: quantitySchema,
  type: quantitySchema.optional(),
  from: address,
  to: address.nullish(),
  nonce: quantitySchema,
  value: quantitySchema,
  gas: quantitySchema,
  gasPrice: quantitySchema.nullish(),
  mint: quantitySchema.nullish(),
  input: bytesSchema,
});

export const receiptSchema = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: quantitySchema,
  transactionIndex: quantitySchema,
  gasUsed: quantitySchema,
  cumulativeGasUsed: quantitySchema,
  effectiveGasPrice: quantitySchema.nullish(),
  status: quantitySchema.nullish(),
  logs: z.array(z.object({ address, topics: z.array(hash), data: bytesSchema })),
});

export const blockSchema = z.object({
  hash,
  number: quantitySchema,
  timestamp: quantitySchema,
  miner: address,
  gasLimit: quantitySchema,
  baseFeePerGas: quantitySchema.nullish(),
});

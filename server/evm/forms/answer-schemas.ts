import * as z from 'zod';

/*
 * Required fields of transactions, receipts and blocks in every node's answers (execution-apis). Nodes return more fields.
 * The types are in `types.ts`.
 */

export const quantitySchema = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
/** 64-bit numbers: gas, nonces, heights, times. */
const count = z.string().regex(/^0x0*[0-9a-fA-F]{1,16}$/);
export const bytesSchema = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/);
const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

export const minedTransactionSchema = z.object({
  hash,
  blockHash: hash,
  blockNumber: count,
  transactionIndex: count,
  type: count.nullish(),
  from: address,
  to: address.nullish(),
  nonce: count,
  value: quantitySchema,
  gas: count,
  gasPrice: quantitySchema.nullish(),
  mint: quantitySchema.nullish(),
  input: bytesSchema,
  accessList: z.array(z.object({ address, storageKeys: z.array(hash) })).nullish(),
  blobVersionedHashes: z.array(hash).nullish(),
  maxFeePerBlobGas: quantitySchema.nullish(),
  authorizationList: z
    .array(z.object({ address, chainId: quantitySchema, nonce: count }))
    .nullish(),
});

export const receiptSchema = z.object({
  transactionHash: hash,
  blockHash: hash,
  blockNumber: count,
  transactionIndex: count,
  gasUsed: count,
  cumulativeGasUsed: count,
  effectiveGasPrice: quantitySchema.nullish(),
  status: quantitySchema.nullish(),
  blobGasUsed: count.nullish(),
  blobGasPrice: quantitySchema.nullish(),
  l1Fee: quantitySchema.nullish(),
  logs: z.array(z.object({ address, topics: z.array(hash), data: bytesSchema })),
});

export const blockSchema = z.object({
  hash,
  number: count,
  timestamp: count,
  miner: address,
  gasLimit: quantitySchema,
  baseFeePerGas: quantitySchema.nullish(),
  excessBlobGas: count.nullish(),
  mixHash: hash.nullish(),
});

/** Answers are shared and never modified, so a validated answer stays valid. */
const sound = new WeakMap<object, z.ZodType>();

/** The first violation of the schema; undefined if the answer is valid. */
export function firstIssue(form: z.ZodType, answer: unknown): z.core.$ZodIssue | undefined {
  const isObject = typeof answer === 'object' && answer !== null;
  if (isObject && sound.get(answer) === form) return undefined;
  const { success, error } = form.safeParse(answer, { reportInput: true });
  if (!success) return error.issues[0];
  if (isObject) sound.set(answer, form);
  return undefined;
}

import * as z from 'zod';

/*
 * Schemas of answers, from ethereum/execution-apis (commit 033ca6e, August 2026): members, their hex forms, and which of them are required.
 * Objects are strict where the standard allows no further members.
 */

const hex = (pattern: string): z.ZodString => z.string().regex(new RegExp(`^0x${pattern}$`));
export const uint = hex('(0|[1-9a-f][0-9a-f]*)');
export const bytes = hex('([0-9a-f]{2})*');
export const hash = hex('[0-9a-f]{64}');
export const address = hex('[0-9a-fA-F]{40}');
const byte = hex('[0-9a-f]{1,2}');
const bloom = hex('[0-9a-f]{512}');

const accessList = z.array(z.strictObject({ address, storageKeys: z.array(hash) }));
const authorizationList = z.array(
  z.object({ address, chainId: uint, nonce: uint, yParity: byte, r: uint, s: uint }),
);

/** One schema per transaction type, in order. Each has the members of a legacy transaction. */
const legacy = z.object({
  type: z.literal('0x0'),
  nonce: uint,
  to: address.nullable(),
  gas: uint,
  value: uint,
  input: bytes,
  gasPrice: uint,
  chainId: uint.optional(),
});
const listed = legacy.extend({ type: z.literal('0x1'), chainId: uint, accessList });
const priced = listed.extend({
  type: z.literal('0x2'),
  maxFeePerGas: uint,
  maxPriorityFeePerGas: uint,
});
const blobs = priced.extend({
  type: z.literal('0x3'),
  to: address,
  maxFeePerBlobGas: uint,
  blobVersionedHashes: z.array(hash),
});
const delegating = priced.extend({ type: z.literal('0x4'), to: address, authorizationList });

/** The answer of `eth_fillTransaction`. */
export const unsigned = z.discriminatedUnion('type', [legacy, listed, priced, blobs, delegating]);

const place = {
  blockHash: hash,
  blockNumber: uint,
  blockTimestamp: uint,
  transactionIndex: uint,
  hash,
  from: address,
};
const pending = {
  blockHash: z.null().optional(),
  blockNumber: z.null().optional(),
  blockTimestamp: z.null().optional(),
  transactionIndex: z.null().optional(),
  hash,
  from: address,
};
const signature = { r: uint, s: uint };
const withParity = { ...signature, yParity: byte, v: byte.optional() };

const signedAt = <T extends z.ZodRawShape>(where: T) =>
  z.discriminatedUnion('type', [
    legacy.extend({ ...where, ...signature, v: uint }),
    ...([listed, priced, blobs, delegating] as const).map((one) =>
      one.extend({ ...where, ...withParity }),
    ),
  ]);

export const transaction: z.ZodType = signedAt(place);
const pendingTransaction: z.ZodType = signedAt(pending);

const log = z.strictObject({
  transactionHash: hash,
  removed: z.boolean().optional(),
  logIndex: uint,
  transactionIndex: uint,
  blockHash: hash,
  blockNumber: uint,
  blockTimestamp: uint.optional(),
  address,
  data: bytes,
  topics: z.array(hash),
});
export const logs = z.array(log);

/** A receipt as returned by the forked chain's node. */
export const anyReceipt = z.strictObject({
  type: byte.optional(),
  transactionHash: hash,
  transactionIndex: uint,
  blockHash: hash,
  blockNumber: uint,
  from: address,
  to: address.nullable(),
  cumulativeGasUsed: uint,
  gasUsed: uint,
  blobGasUsed: uint.optional(),
  blobGasPrice: uint.optional(),
  contractAddress: address.nullable(),
  logs,
  logsBloom: bloom,
  root: hash.optional(),
  status: z.enum(['0x0', '0x1']).optional(),
  effectiveGasPrice: uint,
});

/** Only receipts of blob transactions have members of blobs. */
export const receipt = anyReceipt.refine(
  ({ type, blobGasPrice }) => (type === '0x3') === (blobGasPrice !== undefined),
  { path: ['blobGasPrice'] },
);

const header = z.object({
  hash,
  parentHash: hash,
  sha3Uncles: hash,
  miner: address,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: bloom,
  difficulty: uint.optional(),
  number: uint,
  gasLimit: uint,
  gasUsed: uint,
  timestamp: uint,
  extraData: bytes,
  mixHash: hash,
  nonce: hex('[0-9a-f]{16}'),
  baseFeePerGas: uint.optional(),
  withdrawalsRoot: hash.optional(),
  blobGasUsed: uint.optional(),
  excessBlobGas: uint.optional(),
  parentBeaconBlockRoot: hash.optional(),
  requestsHash: hash.optional(),
  size: uint,
  uncles: z.array(hash),
  withdrawals: z
    .array(z.object({ index: uint, validatorIndex: uint, address, amount: uint }))
    .optional(),
});
export const block = header.extend({ transactions: z.array(hash) });
export const fullBlock = header.extend({ transactions: z.array(transaction).min(1) });

const ratio = z.number().min(0).max(1);
export const feeHistory = z.strictObject({
  oldestBlock: uint,
  baseFeePerGas: z.array(uint),
  baseFeePerBlobGas: z.array(uint),
  gasUsedRatio: z.array(ratio),
  blobGasUsedRatio: z.array(ratio),
  reward: z.array(z.array(uint)).optional(),
});

export const accountProof = z.strictObject({
  address,
  accountProof: z.array(bytes).min(1),
  balance: uint,
  codeHash: hash,
  nonce: uint,
  storageHash: hash,
  storageProof: z.array(
    z.strictObject({ key: hex('[0-9a-f]{0,64}'), value: uint, proof: z.array(bytes) }),
  ),
});

export const accessListResult = z.strictObject({
  accessList,
  error: z.string().optional(),
  gasUsed: uint,
});

const resource = z.strictObject({ disabled: z.boolean(), oldestBlock: uint.optional() });
export const capabilities = z.strictObject({
  head: z.strictObject({ number: uint, hash }),
  state: resource,
  tx: resource,
  logs: resource,
  receipts: resource,
  blocks: resource,
  stateproofs: resource,
});

const configuration = z.strictObject({
  activationTime: z.number(),
  blobSchedule: z.strictObject({
    baseFeeUpdateFraction: z.int(),
    max: z.int(),
    target: z.int(),
  }),
  chainId: uint,
  forkId: hex('[0-9a-f]{8}'),
  precompiles: z.record(z.string(), address),
  systemContracts: z.record(z.string(), address),
});
export const config = z.strictObject({
  current: configuration,
  next: configuration.nullable(),
  last: configuration.nullable(),
});

const callResult = z.union([
  z.strictObject({
    status: z.literal('0x1'),
    returnData: bytes,
    gasUsed: uint,
    maxUsedGas: uint.optional(),
    logs,
  }),
  z.object({
    status: z.literal('0x0'),
    returnData: bytes,
    gasUsed: uint,
    error: z.union([
      z.object({ code: z.literal(3), message: z.string().regex(/^execution reverted/) }),
      z.object({ code: z.literal(-32015), message: z.string().regex(/^vm execution error/) }),
    ]),
  }),
]);
export const simulatedBlocks = z.array(block.extend({ calls: z.array(callResult) }));
export const simulatedFullBlocks = z.array(fullBlock.extend({ calls: z.array(callResult) }));

const senders = z.record(address, z.record(z.string(), pendingTransaction));
export const poolContent = z.strictObject({ pending: senders, queued: senders });
export const poolOfSender = z.strictObject({
  pending: z.record(z.string(), pendingTransaction),
  queued: z.record(z.string(), pendingTransaction),
});
export const poolStatus = z.strictObject({ pending: uint, queued: uint });
export const structLogs = z.object({
  gas: z.number(),
  failed: z.boolean(),
  returnValue: z.string(),
  structLogs: z.array(z.object({ pc: z.number(), op: z.string() })).min(1),
});

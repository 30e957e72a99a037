import * as z from 'zod';
import { transactionKindSchema } from './transaction-kind';
import { decodedLogSchema, decodedMethodSchema, paramSchema } from './decoding';
import {
  balanceVerificationSchema,
  measuredSchema,
  priceOriginSchema,
  traceVerificationSchema,
} from './verification';

export type { DecodedMethod, Param } from './decoding';
export { NATIVE_ASSET } from './native-asset';

export const assetChangeSchema = z.object({
  address: z.string(),
  rawAmount: z.string().meta({ description: 'Magnitude in the smallest unit, plain decimal' }),
  amount: z.string().meta({ description: 'Magnitude by decimals; empty where they are unknown' }),
  sign: z.boolean().meta({ description: 'true: net inflow' }),
  value: z.string().meta({ description: "USD at the block's time; empty where there is no price" }),
  isERC1155: z.boolean(),
  isERC721: z.boolean(),
  tokenId: z.string().optional().meta({ description: 'Ours: of ERC-721 and ERC-1155, decimal' }),
  symbol: z.string().optional().meta({ description: 'Ours: where the token has one' }),
  decimals: z.int().optional().meta({ description: 'Ours: where they are known' }),
  price: priceOriginSchema.optional().meta({ description: 'Ours: where `value` comes from' }),
  verified: z.boolean().optional().meta({
    description:
      'Ours: whether the balance itself (native: less fees; token: its balanceOf) changed by exactly this; missing where it could not be asked',
  }),
  measured: measuredSchema
    .optional()
    .meta({ description: 'Ours: the real difference of the balance, where `verified` is false' }),
});

export const balanceChangeSchema = z.object({
  status: z.boolean(),
  balanceChange: z.array(z.object({ account: z.string(), assets: z.array(assetChangeSchema) })),
  verification: balanceVerificationSchema
    .optional()
    .meta({ description: 'Ours: how far the changes are proved' }),
});

export const invocationSchema = z.object({
  fromAddress: z.string(),
  address: z.string().meta({
    description:
      'Empty for a creation inside another call that failed: no trace tells the nonce or the salt that its address would follow from',
  }),
  operation: z.string().meta({
    description: 'CALL, STATICCALL, DELEGATECALL, CALLCODE, CREATE, CREATE2 or SELFDESTRUCT',
  }),
  value: z.string().meta({ description: 'Ether, plain decimal' }),
  callData: z.string().meta({ description: 'Without the selector' }),
  decodedMethod: decodedMethodSchema.nullable(),
  methodDecoded: z.boolean(),
  guessedParams: z.array(paramSchema).optional().meta({
    description:
      'Ours: arguments by the types that the bytecode shows, where the method has no known signature',
  }),
  selector: z.string().meta({ description: '0x and 8 digits, or fallback' }),
  gasUsed: z.int(),
  id: z.int(),
  output: z.string(),
  status: z.boolean(),
  revert: z.boolean().meta({ description: 'Rolled back, by itself or by a caller' }),
  revertMessage: z.string(),
  errorInfo: z.string(),
});

export const eventSchema = z.object({
  contract: z.string(),
  operation: z.literal('EVENT'),
  decodedLog: decodedLogSchema,
  logDecoded: z.boolean(),
  logData: z.string(),
  topics: z.array(z.string()),
  id: z.int(),
  status: z.boolean(),
  revert: z.boolean(),
});

export interface TraceNode {
  id: number;
  depth: number;
  children: TraceNode[];
}
export const traceNodeSchema: z.ZodType<TraceNode> = z
  .object({
    id: z.int(),
    depth: z.int(),
    get children() {
      return z.array(traceNodeSchema);
    },
  })
  .meta({ id: 'TraceNode' });

export const NODE_TYPE = { invocation: 0, event: 1 } as const;

export const nodeSchema = z.union([
  z.object({ nodeType: z.literal(NODE_TYPE.invocation), invocation: invocationSchema }),
  z.object({ nodeType: z.literal(NODE_TYPE.event), event: eventSchema }),
]);

/** Ours: the facts of the transaction that an inspector shows above the tree. */
export const transactionFactsSchema = z.object({
  hash: z.string(),
  chain: z.string(),
  chainId: z.int(),
  nativeSymbol: z.string(),
  blockNumber: z.int(),
  position: z.int(),
  timestamp: z.int().meta({ description: 'Unix seconds' }),
  from: z.string(),
  to: z.string().nullable(),
  value: z.string().meta({ description: 'Ether, plain decimal' }),
  fee: z.string().meta({ description: 'Ether, plain decimal; empty where unknown' }),
  gasUsed: z.int(),
  type: z.int(),
  nonce: z.int(),
  ...transactionKindSchema.shape,
});

export const invocationFlowSchema = z.object({
  status: z.boolean(),
  trace: z.array(traceNodeSchema),
  dataMap: z.record(z.string(), nodeSchema),
  transaction: transactionFactsSchema.meta({ description: 'Ours' }),
  labels: z
    .record(z.string(), z.string())
    .meta({ description: 'Ours: names of addresses, where known' }),
  userLabels: z.array(z.string()).optional().meta({
    description: 'Ours: the addresses of `labels` that the user named; left out for none',
  }),
  verification: traceVerificationSchema.meta({
    description: 'Ours: where the trace comes from, and whether it equals the receipt',
  }),
});

export type AssetChange = z.infer<typeof assetChangeSchema>;
export type BalanceChange = z.infer<typeof balanceChangeSchema>;
export type Invocation = z.infer<typeof invocationSchema>;
export type Event = z.infer<typeof eventSchema>;
export type FlowNode = z.infer<typeof nodeSchema>;
export type TransactionFacts = z.infer<typeof transactionFactsSchema>;
export type InvocationFlow = z.infer<typeof invocationFlowSchema>;

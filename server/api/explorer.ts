import * as z from 'zod';
import { transactionKindSchema } from './transaction-kind';
import { decodedLogSchema, decodedMethodSchema, paramSchema } from './decoding';
import { disputedDecimalsSchema, summarySchema } from './summary';
import {
  balanceVerificationSchema,
  measuredSchema,
  priceOriginSchema,
  traceVerificationSchema,
} from './verification';

export type { DecodedMethod, Param } from './decoding';
export { NATIVE_ASSET } from './native-asset';

const status = z.boolean().meta({ description: 'false: the transaction reverted' });
const nodeId = z.int().meta({ description: 'Of the node of the invocation flow' });

export const assetChangeSchema = z.object({
  address: z.string().meta({ description: 'Token contract; 0xeeee… for the native asset' }),
  rawAmount: z.string().meta({ description: 'Magnitude in the smallest unit, plain decimal' }),
  amount: z.string().meta({ description: 'Magnitude by decimals; empty where they are unknown' }),
  sign: z.boolean().meta({ description: 'true: net inflow' }),
  value: z.string().meta({ description: "USD at the block's time; empty where there is no price" }),
  isERC1155: z.boolean().meta({ description: 'Whether the asset is an ERC-1155 token' }),
  isERC721: z.boolean().meta({ description: 'Whether the asset is an ERC-721 token' }),
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
  status,
  balanceChange: z
    .array(
      z.object({
        account: z.string().meta({ description: 'Whose balances changed, lower case' }),
        assets: z.array(assetChangeSchema).meta({ description: 'Net change of each asset' }),
      }),
    )
    .meta({ description: 'By account: sender, receiver, then ascending; without the gas fee' }),
  verification: balanceVerificationSchema
    .optional()
    .meta({ description: 'Ours: how far the changes are proved' }),
});

export const invocationSchema = z.object({
  fromAddress: z.string().meta({ description: 'Caller; of a SELFDESTRUCT the contract' }),
  address: z.string().meta({
    description:
      'Callee. Empty for a creation inside another call that failed: no trace has the nonce or the salt of its address',
  }),
  operation: z.string().meta({
    description: 'CALL, STATICCALL, DELEGATECALL, CALLCODE, CREATE, CREATE2 or SELFDESTRUCT',
  }),
  value: z.string().meta({ description: 'Ether, plain decimal' }),
  callData: z.string().meta({ description: 'Without the selector' }),
  decodedMethod: decodedMethodSchema
    .nullable()
    .meta({ description: 'null where the call is not decoded' }),
  methodDecoded: z.boolean().meta({ description: 'Whether decodedMethod is there' }),
  guessedParams: z.array(paramSchema).optional().meta({
    description:
      'Ours: arguments by the types that the bytecode shows, where the method has no known signature',
  }),
  message: z.string().optional().meta({
    description:
      'Ours: the call data as text, where it is text in UTF-8 and no decoded call; one line, untrusted',
  }),
  selector: z.string().meta({ description: '0x and 8 digits, or fallback' }),
  gasUsed: z
    .int()
    .meta({ description: 'With the calls below; of the top call that of the whole transaction' }),
  id: nodeId,
  output: z.string().meta({ description: '0x hex; empty where nothing came back' }),
  status: z.boolean().meta({ description: 'Whether the call succeeded' }),
  revert: z.boolean().meta({ description: 'Rolled back, by itself or by a caller' }),
  revertMessage: z.string().meta({
    description:
      'Reason in words; of an unknown error its selector and, after "guess:", what its words look like; empty where there is none',
  }),
  errorInfo: z.string().meta({ description: 'Error of the engine; empty where there is none' }),
});

export const eventSchema = z.object({
  contract: z.string().meta({ description: 'Contract that emitted it' }),
  operation: z.literal('EVENT').meta({ description: 'Always EVENT' }),
  decodedLog: decodedLogSchema.meta({ description: 'Empty texts where it is not decoded' }),
  logDecoded: z.boolean().meta({ description: 'Whether the event is decoded' }),
  logData: z.string().meta({ description: 'Raw data, 0x hex' }),
  topics: z.array(z.string()).meta({ description: 'At most four words' }),
  id: nodeId,
  status: z.boolean().meta({ description: 'false: it was rolled back' }),
  revert: z.boolean().meta({ description: 'Whether it was rolled back with its call' }),
});

export interface TraceNode {
  id: number;
  depth: number;
  children: TraceNode[];
}
export const traceNodeSchema: z.ZodType<TraceNode> = z
  .object({
    id: nodeId,
    depth: z.int().meta({ description: 'Of the root -1, of the top call 0' }),
    get children() {
      return z.array(traceNodeSchema).meta({ description: 'Calls and events in execution order' });
    },
  })
  .meta({ id: 'TraceNode' });

export const NODE_TYPE = { invocation: 0, event: 1 } as const;

export const nodeSchema = z.union([
  z.object({
    nodeType: z.literal(NODE_TYPE.invocation).meta({ description: 'A call' }),
    invocation: invocationSchema.meta({ description: 'The call' }),
  }),
  z.object({
    nodeType: z.literal(NODE_TYPE.event).meta({ description: 'An event' }),
    event: eventSchema.meta({ description: 'The event' }),
  }),
]);

const tokenFactsSchema = z.object({
  symbol: z.string().optional().meta({ description: 'Left out where it is not known' }),
  decimals: z.int().optional().meta({ description: 'Left out where they are not known' }),
  source: z.enum(['chain', 'list']).meta({
    description:
      'chain: the token itself answered; list: it did not, and a list of well-known tokens of the chain says so',
  }),
  disputedDecimals: disputedDecimalsSchema.optional(),
  imitates: z.string().optional().meta({
    description:
      'Symbol of a well-known token at another address that the symbol looks like; `symbol` then begins with "unlisted"',
  }),
});

/** The fee of a transaction that pays it in a token: Celo, Tempo. */
export const tokenFeeSchema = z
  .object({
    token: z.string().meta({ description: 'The token that the transaction names, lower case' }),
    rawAmount: z.string().meta({
      description:
        'What the sender paid, in the smallest unit of the token, as transfers prove that the chain itself logged; empty where they do not',
    }),
    amount: z.string().meta({
      description: 'The same in whole tokens, plain decimal; empty where the decimals are unknown',
    }),
    symbol: z.string().optional().meta({ description: 'Of the token, where known' }),
    reason: z.string().optional().meta({ description: 'Why the amount is not known' }),
  })
  .meta({ description: 'The fee, if it is paid in a token; `fee` is empty then' });
export type TokenFee = z.infer<typeof tokenFeeSchema>;

/** An addition to the interface: the facts of the transaction that an inspector shows above the call tree. */
export const transactionFactsSchema = z.object({
  hash: z.string().meta({ description: 'Transaction hash' }),
  chain: z.string().meta({ description: 'Slug of the chain, or id of the fork' }),
  chainId: z.int().meta({ description: 'Of the chain' }),
  nativeSymbol: z.string().meta({ description: 'Of the native asset' }),
  blockNumber: z.int().meta({ description: 'Block that holds it' }),
  position: z.int().meta({ description: 'In its block, from 0' }),
  timestamp: z.int().meta({ description: 'Unix seconds' }),
  from: z.string().meta({ description: 'Sender' }),
  to: z.string().nullable().meta({ description: 'Receiver; null for a creation' }),
  value: z.string().meta({ description: 'Ether, plain decimal' }),
  fee: z.string().meta({ description: 'Ether, plain decimal; empty where unknown' }),
  tokenFee: tokenFeeSchema.optional(),
  gasUsed: z.int().meta({ description: 'Of the receipt' }),
  type: z.int().meta({ description: 'EIP-2718' }),
  nonce: z.int().meta({ description: 'Of the sender' }),
  ...transactionKindSchema.shape,
});

export const invocationFlowSchema = z.object({
  status,
  trace: z.array(traceNodeSchema).meta({ description: 'The root, whose id is -1' }),
  dataMap: z
    .record(z.string(), nodeSchema)
    .meta({ description: 'Call or event of each node, by its id as text' }),
  transaction: transactionFactsSchema.meta({ description: 'Ours' }),
  labels: z.record(z.string(), z.string()).meta({
    description:
      'Ours: names of addresses, where known. A name that looks like the one of a well-known contract or token at another address begins with "unlisted"',
  }),
  userLabels: z.array(z.string()).optional().meta({
    description: 'Ours: the addresses of `labels` that the user named; left out for none',
  }),
  summary: summarySchema.optional().meta({
    description:
      'Ours: what the transaction did in clauses, why it failed, and security findings, each with its nodes',
  }),
  nameSources: z.record(z.string(), z.string()).optional().meta({
    description:
      'Ours: what a name of `labels` rests on: the package or document that lists the contract, its tokens, its implementation, or its code. Left out for names of verified sources and symbols of tokens',
  }),
  tokens: z
    .record(z.string(), tokenFactsSchema)
    .optional()
    .meta({ description: 'Ours: facts of the tokens in the transaction; left out for none' }),
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

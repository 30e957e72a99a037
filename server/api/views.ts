import * as z from 'zod';
import { balanceChangeSchema, invocationFlowSchema } from './explorer';
import {
  balanceVerificationSchema,
  measuredSchema,
  traceVerificationSchema,
  warningsSchema,
} from './verification';

const wei = z.string().meta({ description: 'Wei, plain decimal' });
const signedWei = z.string().meta({ description: 'Wei, plain decimal; negative for a loss' });
const { labels, status, userLabels, nameSources } = invocationFlowSchema.shape;
const verification = traceVerificationSchema.meta({
  description: 'Where the trace comes from, and whether it equals the receipt',
});

export const fundTransferSchema = z.object({
  order: z.int().meta({ description: 'From 0, in execution order' }),
  nodeId: z.int().meta({
    description:
      'Node of the invocation flow that made it: the event of a token, the call of ether',
  }),
  frameId: z.int().meta({ description: 'Invocation that it happened in' }),
  from: z.string().meta({ description: 'Who paid' }),
  to: z.string().meta({ description: 'Who received; empty where ether is burnt' }),
  asset: z.string().meta({ description: 'Token contract; 0xeeee… for the native asset' }),
  standard: z
    .enum(['native', 'erc20', 'erc721', 'erc1155'])
    .meta({ description: 'Kind of the asset' }),
  rawAmount: z.string().meta({ description: 'In the smallest unit, plain decimal' }),
  amount: z.string().meta({ description: 'By decimals; empty where they are unknown' }),
  value: z.string().meta({ description: "USD at the block's time; empty where there is no price" }),
  tokenId: z.string().optional().meta({ description: 'Of ERC-721 and ERC-1155, decimal' }),
  symbol: z.string().optional().meta({ description: 'Where the asset has one' }),
  decimals: z.int().optional().meta({ description: 'Where they are known' }),
  verified: z.boolean().optional().meta({
    description:
      'Whether the net changes of both sides in the asset equal those of the state; false: one differs; missing where a side could not be measured',
  }),
  measured: z
    .array(
      measuredSchema.extend({
        account: z.string().meta({ description: 'Side of the transfer' }),
      }),
    )
    .optional()
    .meta({
      description: 'Where `verified` is false: the net changes that differ, as they were measured',
    }),
});

export const fundFlowSchema = z.object({
  status,
  verification,
  fundFlow: z
    .array(fundTransferSchema)
    .meta({ description: 'Every transfer that lasts; what was rolled back is left out' }),
  labels,
  userLabels,
  nameSources,
});

const gas = z.int().min(0);

export const gasFrameSchema = z.object({
  id: z.int().meta({ description: 'Node of the invocation flow' }),
  depth: z.int().meta({ description: 'Of the top call 0' }),
  operation: z.string().meta({ description: 'As in the invocation flow' }),
  address: z.string().meta({ description: 'Account whose code runs; empty where unknown' }),
  selector: z.string().meta({ description: '0x and 8 digits, fallback, or empty for a creation' }),
  method: z.string().meta({ description: 'Name of the method, or empty' }),
  isGuessed: z
    .literal(true)
    .optional()
    .meta({ description: 'Only the selector matches the name of the method' }),
  gasUsed: gas.nullable().meta({
    description:
      'With the calls below, before refunds and without the intrinsic gas; null where it is not known',
  }),
  selfGas: gas.nullable().meta({
    description: 'The same without the calls below; null where it is not known',
  }),
  revert: z.boolean().meta({ description: 'Rolled back, by itself or by a caller' }),
});

const gasSums = {
  calls: z.int().meta({ description: 'How often it was called' }),
  selfGas: gas.nullable().meta({
    description: 'Sum of the self gas of its frames; null where one of them is not known',
  }),
  totalGas: gas.nullable().meta({
    description:
      'With the calls below; a frame inside another one of its own is not counted again; null where one of them is not known',
  }),
};

export const gasProfileSchema = z.object({
  status,
  verification,
  gasProfile: z
    .object({
      gasLimit: gas.meta({ description: 'Of the transaction' }),
      gasUsed: gas.meta({
        description: 'Of the receipt: intrinsicGas + executionGas - refund + floorGas',
      }),
      intrinsicGas: gas.nullable().meta({
        description:
          'Paid before the first instruction: base, call data, creation, access list, authorizations; null where the rules of the block are unknown',
      }),
      executionGas: gas.nullable().meta({
        description:
          'What was executed, before refunds: the sum of the self gas of all frames; null where it is not known',
      }),
      refund: gas.nullable().meta({
        description:
          'Gas given back for cleared storage, destroyed contracts (before London) and authorities that existed (EIP-7702), after the limit on refunds; null where it is not known',
      }),
      floorGas: gas.nullable().meta({
        description:
          'What the call data floor (EIP-7623) adds; 0 where it adds nothing, null where it is not known',
      }),
      calldataFloorGas: gas.nullable().meta({
        description: 'The least that is paid (EIP-7623); null where there is no such rule',
      }),
      frames: z.array(gasFrameSchema).meta({ description: 'In execution order' }),
      contracts: z
        .array(
          z.object({
            address: z.string().meta({ description: 'Account whose code ran' }),
            ...gasSums,
            methods: z
              .array(
                z.object({
                  selector: gasFrameSchema.shape.selector,
                  method: gasFrameSchema.shape.method,
                  isGuessed: gasFrameSchema.shape.isGuessed,
                  ...gasSums,
                }),
              )
              .meta({ description: 'By self gas, highest first' }),
          }),
        )
        .meta({ description: 'By self gas, highest first' }),
    })
    .meta({ description: 'Gas of the transaction by frame and contract' }),
  labels,
  userLabels,
  nameSources,
});

const tokenChange = z
  .object({
    asset: z.string().meta({ description: 'Token contract' }),
    symbol: z.string().optional().meta({ description: 'Where the token has one' }),
    before: z.string().meta({ description: 'In whole units, plain decimal' }),
    after: z.string().meta({ description: 'In whole units, plain decimal' }),
    change: z.string().meta({ description: 'In whole units, plain decimal; negative for a loss' }),
  })
  .optional()
  .meta({ description: 'Ours: the same in units of a token, where it is known to count one' });

export const slotChangeSchema = z.object({
  slot: z.string().meta({ description: '32 bytes' }),
  before: z.string().meta({ description: '32 bytes' }),
  after: z.string().meta({ description: '32 bytes' }),
  variables: z
    .array(
      z.object({
        name: z.string().meta({ description: 'Such as balanceOf[0x…] or reserves.last' }),
        type: z.string().meta({ description: "The compiler's name of the type" }),
        before: z.string().meta({ description: 'Value as text' }),
        after: z.string().meta({ description: 'Value as text' }),
        offset: z.int().optional().meta({
          description: 'Ours: bytes from the right end of the slot; left out for 0',
        }),
        length: z
          .int()
          .optional()
          .meta({ description: 'Ours: of a value that shares its slot, its bytes' }),
        amount: tokenChange,
      }),
    )
    .optional()
    .meta({ description: 'What of it changed, where the storage layout is known' }),
  found: z
    .object({
      name: z.string().optional().meta({
        description:
          'Such as mapping@3[0x…]: the slot is that of the key in a mapping or array at slot 3, with the key from the transaction. Found, not known: left out where no key fits',
      }),
      type: z
        .enum(['uint256', 'address'])
        .optional()
        .meta({ description: 'What both words plausibly are; left out where they are neither' }),
      before: z.string().optional().meta({ description: 'Value as text, where there is a type' }),
      after: z.string().optional().meta({ description: 'Value as text, where there is a type' }),
      amount: tokenChange,
    })
    .optional()
    .meta({
      description:
        'Ours: what is plausible of a slot whose storage layout is not known; left out where nothing is',
    }),
});

const beforeAndAfter = <Value extends z.ZodType>(value: Value) =>
  z.object({
    before: value.meta({ description: 'Before the transaction' }),
    after: value.meta({ description: 'After the transaction' }),
  });

export const accountChangeSchema = z.object({
  address: z.string().meta({ description: 'Of the account, lower case' }),
  created: z.boolean().meta({ description: 'It did not exist before' }),
  destroyed: z.boolean().meta({ description: 'It no longer exists' }),
  balance: z
    .object({
      before: wei.meta({ description: 'Wei before the transaction' }),
      after: wei.meta({ description: 'Wei after it' }),
      change: signedWei.meta({ description: 'Wei without the gas fee; negative for a loss' }),
      fee: signedWei.meta({ description: 'Wei of the gas fee: paid (negative) or received' }),
    })
    .optional()
    .meta({ description: 'before + change + fee = after' }),
  nonce: beforeAndAfter(z.int()).optional().meta({ description: 'Left out where it stays' }),
  code: beforeAndAfter(z.string())
    .optional()
    .meta({ description: '0x hex; left out where it stays' }),
  storage: z.array(slotChangeSchema).meta({ description: 'Slots that changed' }),
});

export const stateDiffSchema = z.object({
  status,
  verification,
  stateDiff: z
    .object({
      method: z.enum(['debug', 'replay']).meta({ description: 'Where it comes from' }),
      fee: z
        .object({
          payer: z.string().meta({ description: 'Who paid the fee: the sender' }),
          paid: wei.meta({ description: 'Wei of the whole fee' }),
          recipient: z.string().meta({ description: 'Fee recipient of the block' }),
          received: wei.meta({ description: 'Wei: what is not burnt of it (EIP-1559)' }),
          others: z
            .array(
              z.object({
                recipient: z.string().meta({ description: 'Vault' }),
                received: wei,
              }),
            )
            .optional()
            .meta({
              description:
                'Further recipients: the vaults of an OP Stack chain for the base fee, the fee of the parent chain and that of the operator',
            }),
        })
        .meta({ description: 'The gas fee' }),
      accounts: z.array(accountChangeSchema).meta({ description: 'By address' }),
    })
    .meta({ description: 'What the transaction changed' }),
  labels,
  userLabels,
  nameSources,
});

/** Parts of an analysis that may be missing while the others are available. */
export const ANALYSIS_PARTS = ['balanceChange', 'fundFlow', 'gasProfile', 'stateDiff'] as const;

const missing = 'null where it could not be made: failures says why';

/** The fields of all other views, computed from one trace. */
export const analysisSchema = z.object({
  ...invocationFlowSchema.shape,
  verification: balanceVerificationSchema
    .partial({ native: true, tokens: true })
    .optional()
    .meta({ description: 'Missing in a simulation: there is no receipt to compare with' }),
  simulation: z
    .object({
      method: z
        .enum(['debug', 'replay'])
        .meta({ description: "The node's debug_traceCall, or an execution by the service" }),
      executor: traceVerificationSchema.shape.executor,
      blockNumber: z.int().meta({ description: 'Block context in which it ran' }),
      position: z
        .int()
        .meta({ description: 'Number of transactions of the block that were applied first' }),
      warnings: warningsSchema.optional(),
      native: balanceVerificationSchema.shape.native.optional(),
      tokens: balanceVerificationSchema.shape.tokens.optional(),
      compared: balanceVerificationSchema.shape.compared,
      untold: balanceVerificationSchema.shape.untold,
    })
    .optional()
    .meta({ description: 'Of a simulation only' }),
  balanceChange: balanceChangeSchema.shape.balanceChange.nullable().meta({ description: missing }),
  fundFlow: fundFlowSchema.shape.fundFlow.nullable().meta({ description: missing }),
  gasProfile: gasProfileSchema.shape.gasProfile.nullable().meta({ description: missing }),
  stateDiff: stateDiffSchema.shape.stateDiff.nullable().meta({ description: missing }),
  failures: z
    .array(
      z.object({
        part: z.enum(ANALYSIS_PARTS).meta({ description: 'The part that is null' }),
        code: z.int().meta({ description: 'Of the error table' }),
        message: z.string().meta({ description: 'What went wrong' }),
      }),
    )
    .meta({ description: 'Parts that could not be made' }),
});

export type FundTransfer = z.infer<typeof fundTransferSchema>;
export type FundFlow = z.infer<typeof fundFlowSchema>;
export type GasProfile = z.infer<typeof gasProfileSchema>;
export type StateDiff = z.infer<typeof stateDiffSchema>;
export type AccountChange = z.infer<typeof accountChangeSchema>;
export type Analysis = z.infer<typeof analysisSchema>;
export type AnalysisPart = (typeof ANALYSIS_PARTS)[number];

import * as z from 'zod';
import { twinSchema } from './recorded-twin';
import { sourcePlaceSchema } from './source-locations';
import { warningsSchema } from './verification';

export const step = z
  .int()
  .meta({ description: 'Number of a step, from 0 over the whole transaction' });
export const callIndex = z.int().meta({ description: 'Index of a call in the list of calls' });
const declaringContract = z.string().optional().meta({
  description:
    'Contract or library that declares the function, if another than that of the code; empty outside of contracts',
});
const contractIndex = z.int().meta({ description: 'Index of a code in `contracts`' });

const revision = z.string().meta({
  description:
    'Another one after more became known of the sources: calls may have other numbers since, and codes other files',
});

/** A code that the transaction executes, and what is known of its source. */
export const recordedContractSchema = z.object({
  address: z.string().meta({ description: 'Account of the code, lower case' }),
  isCreation: z.boolean().meta({ description: 'Whether it is creation code' }),
  name: z.string().meta({ description: 'Name of the contract; empty where unknown' }),
  origin: z
    .enum(['workspace', 'sandbox', 'sourcify', 'etherscan', 'blockscout'])
    .nullable()
    .meta({ description: 'Where the source is from; null: no source is known' }),
  language: z.string().meta({ description: 'Such as Solidity; empty where unknown' }),
  hasLines: z.boolean().meta({ description: 'Whether instructions have places in the source' }),
  hasLocals: z.boolean().meta({ description: 'Whether local variables may be known' }),
  unavailable: z
    .string()
    .optional()
    .meta({ description: 'Why there are no lines, or no local variables' }),
  files: z.array(z.string()).meta({
    description: 'Names of its files, as compiled; also where instructions have no places in them',
  }),
  declaration: sourcePlaceSchema.optional().meta({
    description: 'Where its source begins: the declaration of the contract, else a file',
  }),
});

export const recordingSchema = z.object({
  transaction: z.string().meta({
    description:
      'Hash of the transaction; for a simulation an id that the routes of recordings take',
  }),
  chain: z.string().meta({ description: 'Slug of the chain, or id of the fork' }),
  isSimulation: z.boolean().meta({ description: 'Whether it is unsent' }),
  blockHash: z.string().optional().meta({
    description: 'Of the block that it was recorded in: the parameter `block`; left out if unsent',
  }),
  status: z.boolean().meta({ description: 'false: the transaction reverted' }),
  failure: z.string().meta({ description: 'Why it reverted, in words; empty otherwise' }),
  steps: z.int().meta({ description: 'Number of executed instructions' }),
  entry: step.meta({ description: 'The first step that has a line; else 0' }),
  gasUsed: z.int().meta({ description: 'As recorded, with refunds' }),
  verification: z
    .object({
      level: z.enum(['receipt', 'call-trace', 'different']).meta({
        description:
          'receipt: status, gas and logs equal the receipt; call-trace: of a simulation, they equal the engine’s, and of a test each step forge’s; different: they do not',
      }),
      reason: z.string().optional().meta({ description: 'What differs' }),
      warnings: warningsSchema.optional(),
    })
    .meta({ description: 'How the recording compares with the transaction' }),
  revision,
  build: z.enum(['executed', 'unoptimized']).meta({
    description:
      'Whose steps these are: of the executed codes, or of builds of the same sources without the optimizer, which have the same effects',
  }),
  twin: twinSchema.optional(),
  contracts: z.array(recordedContractSchema).meta({ description: 'Codes, in order of first use' }),
  again: z.record(z.string(), z.unknown()).optional().meta({
    description:
      'Body of `simulate` that executes the transaction again, with its gas limit, fees and lists, on the state that it found; left out if unsent',
  }),
});

export const recordedBlockSchema = z.object({
  isCurrent: z
    .boolean()
    .meta({ description: 'Whether the transaction is still in the block that was recorded' }),
  reason: z.string().optional().meta({
    description: 'What replaced the block, and what to do, in words; left out where it is current',
  }),
});

export const variableSchema = z.object({
  name: z.string().meta({ description: 'As declared, or an index or key' }),
  type: z.string().meta({ description: 'Solidity type' }),
  value: z.string().meta({ description: 'As written in Solidity; empty where unavailable' }),
  raw: z.string().optional().meta({ description: 'Its word or bytes, 0x hex' }),
  unavailable: z.string().optional().meta({ description: 'Why the value is not known' }),
  assumption: z
    .string()
    .optional()
    .meta({ description: 'What the value rests on where it is not proved' }),
  children: z.int().optional().meta({ description: 'Number of members, elements or known keys' }),
  reference: z.string().optional().meta({ description: 'Expands it: the parameter `reference`' }),
  expression: z.string().optional().meta({ description: 'Evaluates to it' }),
  location: z
    .enum(['stack', 'memory', 'storage', 'calldata', 'transient', 'code', 'message', 'block'])
    .optional()
    .meta({ description: 'Where the value is' }),
  address: z.string().optional().meta({ description: 'In storage: the account' }),
  slot: z.string().optional().meta({ description: 'In storage: the slot, 0x and 64 hex digits' }),
  offset: z
    .int()
    .optional()
    .meta({ description: 'In storage: bytes from the right end of the slot; left out for 0' }),
  length: z.int().optional().meta({ description: 'Of a value that shares its slot: its bytes' }),
  slots: z
    .int()
    .optional()
    .meta({ description: 'In storage: slots of a struct or array; left out for 1' }),
  changed: z
    .boolean()
    .optional()
    .meta({ description: 'Whether it differs from its value before the transaction' }),
  before: z
    .string()
    .optional()
    .meta({ description: 'Value before the transaction, if it changed' }),
});

export const variablesSchema = z.object({
  variables: z.array(variableSchema).meta({ description: 'A page of them' }),
  total: z.int().meta({ description: 'Number in all' }),
  unavailable: z.string().optional().meta({ description: 'Why there are none, or not all' }),
  assumption: z
    .string()
    .optional()
    .meta({ description: 'What the number rests on where it is not proved' }),
});

export const recordedCallSchema = z.object({
  call: callIndex,
  kind: z.enum(['external', 'internal']).meta({ description: 'internal: a jump into a function' }),
  operation: z.string().meta({ description: 'CALL, CREATE and so on; JUMP for internal calls' }),
  parent: callIndex.nullable().meta({ description: 'null for the transaction' }),
  depth: z.int().meta({ description: '0 for the transaction; internal calls count' }),
  firstStep: step,
  endStep: step.meta({ description: 'The step after its last one' }),
  contract: contractIndex.nullable().meta({
    description: 'Index of its code in `contracts`; null: it executes none, so it has no steps',
  }),
  address: z.string().meta({ description: 'Account whose storage it uses, lower case' }),
  function: z.string().meta({ description: 'Name of the function; empty where unknown' }),
  declaringContract,
  declaration: sourcePlaceSchema.optional().meta({ description: 'Of the function' }),
  arguments: z
    .array(variableSchema)
    .optional()
    .meta({ description: 'Where they are known; left out otherwise' }),
  results: z.array(variableSchema).optional().meta({
    description:
      'What it returned, where that is asked for; `unavailable` says why a result is not known',
  }),
  nodeId: z
    .int()
    .optional()
    .meta({ description: 'Of an external call: its node of the invocation flow' }),
  outcome: z
    .enum(['returned', 'reverted', 'halted'])
    .optional()
    .meta({ description: 'Of an external call' }),
});

export const recordedCallsSchema = z.object({
  calls: z.array(recordedCallSchema).meta({ description: 'In order of execution' }),
  events: z
    .array(
      z.object({
        nodeId: z.int().meta({ description: 'Of the invocation flow' }),
        call: callIndex,
        step,
      }),
    )
    .meta({ description: 'Events of these calls, and the steps that emit them' }),
  total: z.int().meta({ description: 'Number of calls in all' }),
});

export const recordedStepSchema = z.object({
  step,
  revision,
  call: callIndex,
  contract: contractIndex,
  pc: z.int().meta({ description: 'Byte offset of the instruction in its code' }),
  op: z.string().meta({ description: 'Name of the instruction, such as SSTORE' }),
  gas: z.int().meta({ description: 'Remaining gas before the instruction' }),
  place: sourcePlaceSchema.optional().meta({
    description:
      'Of generated code: the statement before it in the same call; left out if there is none',
  }),
  uncertain: z
    .string()
    .optional()
    .meta({ description: 'Of a failure: why `place` may not be the line that failed' }),
  callStack: z
    .array(
      z.object({
        call: callIndex,
        step: step.meta({ description: 'This step, or the one that made the next inner call' }),
        pc: z.int().meta({ description: 'Of that step' }),
        contract: contractIndex,
        kind: z
          .enum(['external', 'internal'])
          .meta({ description: 'internal: a jump into a function' }),
        operation: z.string().meta({ description: 'CALL, CREATE and so on; JUMP' }),
        address: z.string().meta({ description: 'Account whose storage it uses' }),
        function: z.string().meta({ description: 'Empty where unknown' }),
        declaringContract,
        place: sourcePlaceSchema
          .optional()
          .meta({ description: 'Where it is; of a caller, the expression that makes the call' }),
      }),
    )
    .meta({ description: 'Innermost first' }),
  stack: z.array(z.string()).meta({ description: 'Words, 0x hex without leading zeros, top last' }),
  memorySize: z.int().meta({ description: 'Bytes' }),
  returnDataSize: z.int().meta({ description: 'Bytes that the last call returned' }),
  callDataSize: z.int().meta({ description: 'Bytes' }),
  failure: z
    .string()
    .optional()
    .meta({ description: 'Set where the call fails at this step: the decoded error in words' }),
});

export const bytesSchema = z.object({
  offset: z.int().meta({ description: 'Of the first byte' }),
  data: z.string().meta({ description: '0x hex' }),
  size: z.int().meta({ description: 'Bytes in all' }),
});

export const executedLinesSchema = z.object({
  lines: z
    .array(
      z.object({
        file: z.string().meta({ description: 'As compiled' }),
        contract: z.int().meta({ description: 'Index of the first code that has the file' }),
        line: z.int().meta({ description: 'From 1' }),
        count: z.int().meta({ description: 'How often it was entered' }),
        gas: z.int().meta({ description: 'Of its instructions, without the calls that it makes' }),
        steps: z.array(step).meta({ description: 'Where it was entered: up to 20, around `near`' }),
        first: z.int().meta({ description: 'Which time the first of `steps` is, from 1' }),
      }),
    )
    .meta({ description: 'By file and line' }),
});

export const disassemblySchema = z.object({
  instructions: z
    .array(
      z.object({
        pc: z.int().meta({ description: 'Byte offset' }),
        op: z.string().meta({ description: 'With the pushed value' }),
        bytes: z.string().meta({ description: '0x hex' }),
        place: sourcePlaceSchema.optional().meta({ description: 'Left out for generated code' }),
      }),
    )
    .meta({ description: 'In the order of the code' }),
  total: z.int().meta({ description: 'Instructions of the code' }),
  first: z.int().meta({ description: 'Number of the first one' }),
});

export const recordedFileSchema = z.object({
  file: z.string().meta({ description: 'As compiled' }),
  content: z.string().meta({ description: 'The compiled text' }),
  path: z
    .string()
    .optional()
    .meta({ description: 'Of the same text on the disk of the machine’s own user' }),
});

export type Recording = z.infer<typeof recordingSchema>;
export type RecordedBlock = z.infer<typeof recordedBlockSchema>;
export type RecordedContract = z.infer<typeof recordedContractSchema>;
export type RecordedCall = z.infer<typeof recordedCallSchema>;
export type RecordedCalls = z.infer<typeof recordedCallsSchema>;
export type RecordedStep = z.infer<typeof recordedStepSchema>;
export type Variable = z.infer<typeof variableSchema>;
export type Variables = z.infer<typeof variablesSchema>;
export type ExecutedLines = z.infer<typeof executedLinesSchema>;
export type Disassembly = z.infer<typeof disassemblySchema>;
export type RecordedFile = z.infer<typeof recordedFileSchema>;
export type Bytes = z.infer<typeof bytesSchema>;

import * as z from 'zod';
import { blockHashSchema } from './primitives';
import {
  bytesSchema,
  disassemblySchema,
  executedLinesSchema,
  recordedBlockSchema,
  recordedCallsSchema,
  recordedFileSchema,
  recordedStepSchema,
  recordingSchema,
  variableSchema,
  variablesSchema,
} from './recording';
import { failedConditionsSchema } from './recording-conditions';
import { consoleSchema } from './recording-console';
import { recordingNamesSchema } from './recording-names';
import { atStep, ofBlock, ofBuild, recordedTransaction, whole } from './recording-params';
import { evaluateBody, findBody, foundSchema } from './recording-search';
import { recordTestBody } from './recorded-test';
import { writersQuery, writersSchema } from './recording-writers';
import { simulateBody } from './simulate';

const none = z.object({});
const BASE = '/v1/explorer/:chain/transaction/:transaction/recording';

const recordingErrors = [
  'chainNotFound',
  'transactionNotFound',
  'transactionPending',
  'recordingTooLarge',
  'recordingUnsupported',
  'upstreamUnreachable',
  'upstreamLacksData',
  'engineUnavailable',
  'timedOut',
] as const;

/** The routes of `ROUTES` that step through a transaction. Each makes the recording if it is not there. */
export const RECORDING_ROUTES = {
  getRecording: {
    method: 'get',
    paths: [BASE],
    summary: 'Record every step of a transaction, for debugging (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBuild,
    body: none,
    data: recordingSchema,
    errors: recordingErrors,
  },
  recordSimulation: {
    method: 'post',
    paths: ['/v1/explorer/:chain/simulate/recording'],
    summary: 'Record every step of an unsent transaction, for debugging (ours)',
    scope: 'analyze',
    params: recordedTransaction.pick({ chain: true }),
    query: ofBuild,
    body: simulateBody,
    data: recordingSchema,
    errors: [...recordingErrors, 'blockNotFound', 'simulationRejected'],
  },
  recordTest: {
    method: 'post',
    paths: ['/v1/tests/recording'],
    summary:
      "Record every step of a test that forge executed, for debugging (ours). Only for the machine's own user",
    scope: 'analyze',
    params: none,
    query: none,
    body: recordTestBody,
    data: recordingSchema,
    errors: [
      'localUserOnly',
      'chainNotFound',
      'recordingTooLarge',
      'recordingUnsupported',
      'upstreamUnreachable',
      'upstreamLacksData',
      'engineUnavailable',
      'timedOut',
    ],
  },
  checkRecordedBlock: {
    method: 'get',
    paths: [`${BASE}/block/:block`],
    summary: 'Whether a transaction is still in the block that was recorded (ours)',
    scope: 'analyze',
    params: recordedTransaction.extend({ block: blockHashSchema }),
    query: none,
    body: none,
    data: recordedBlockSchema,
    errors: ['chainNotFound', 'upstreamUnreachable', 'upstreamLacksData', 'engineUnavailable'],
  },
  getRecordedCalls: {
    method: 'get',
    paths: [`${BASE}/calls`],
    summary: 'Calls of a recording, internal ones included (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBlock.extend({
      start: whole('index of the first call').optional(),
      count: whole('number of calls; default and most: 1000').optional(),
      results: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'true: with what the calls returned; default: false' }),
    }),
    body: none,
    data: recordedCallsSchema,
    errors: recordingErrors,
  },
  getRecordedStep: {
    method: 'get',
    paths: [`${BASE}/step/:step`],
    summary: 'Place, call stack and stack at a step of a recording (ours)',
    scope: 'analyze',
    params: atStep,
    query: ofBlock,
    body: none,
    data: recordedStepSchema,
    errors: recordingErrors,
  },
  getRecordedBytes: {
    method: 'get',
    paths: [`${BASE}/step/:step/bytes`],
    summary: 'Memory, call data, return data or code at a step of a recording (ours)',
    scope: 'analyze',
    params: atStep,
    query: ofBlock.extend({
      of: z
        .enum(['memory', 'calldata', 'returndata', 'code'])
        .default('memory')
        .meta({ description: 'What to read' }),
      call: whole('index of a call of the call stack; default: the innermost').optional(),
      offset: whole('first byte; default 0').optional(),
      length: whole('number of bytes; default and most: 65536').optional(),
    }),
    body: none,
    data: bytesSchema,
    errors: recordingErrors,
  },
  getRecordedVariables: {
    method: 'get',
    paths: [`${BASE}/step/:step/variables`],
    summary: 'Variables at a step of a recording (ours)',
    scope: 'analyze',
    params: atStep,
    query: ofBlock.extend({
      scope: z
        .enum(['state', 'locals', 'message', 'block', 'storage', 'transient', 'gas', 'contracts'])
        .default('locals')
        .meta({
          description:
            'storage: the slots of the account that the transaction touches; contracts: the state of all contracts that it executes',
        }),
      call: whole('index of a call of the call stack; default: the innermost').optional(),
      reference: z.string().max(2_000, { error: 'text of up to 2000 characters' }).optional().meta({
        description:
          'Of the variable whose members are wanted; with storage: one slot, also if the transaction does not touch it',
      }),
      start: whole('first member; default 0').optional(),
      count: whole('number of members; default 100, most 1000').optional(),
    }),
    body: none,
    data: variablesSchema,
    errors: recordingErrors,
  },
  evaluateInRecording: {
    method: 'post',
    paths: [`${BASE}/step/:step/evaluate`],
    summary: 'Value of an expression at a step of a recording (ours)',
    scope: 'analyze',
    params: atStep,
    query: ofBlock,
    body: evaluateBody,
    data: variableSchema,
    errors: recordingErrors,
  },
  findInRecording: {
    method: 'post',
    paths: [`${BASE}/find`],
    summary: 'The next or previous step at which a debugger stops (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBlock,
    body: findBody,
    data: foundSchema,
    errors: recordingErrors,
  },
  getWriters: {
    method: 'get',
    paths: [`${BASE}/writers`],
    summary: 'Steps, calls and lines that wrote or read a part of the state (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBlock.extend(writersQuery),
    body: none,
    data: writersSchema,
    errors: recordingErrors,
  },
  getRecordedNames: {
    method: 'get',
    paths: [`${BASE}/names`],
    summary: 'Names of the addresses of a recording (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBlock,
    body: none,
    data: recordingNamesSchema,
    errors: recordingErrors,
  },
  getConsoleLines: {
    method: 'get',
    paths: [`${BASE}/console`],
    summary: 'What a transaction logs by `console.log`, with the statements (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBlock,
    body: none,
    data: consoleSchema,
    errors: recordingErrors,
  },
  getFailedConditions: {
    method: 'get',
    paths: [`${BASE}/conditions`],
    summary: 'Conditions of the source that made a transaction fail, with their values (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBlock,
    body: none,
    data: failedConditionsSchema,
    errors: recordingErrors,
  },
  getExecutedLines: {
    method: 'get',
    paths: [`${BASE}/lines`],
    summary: 'Executed lines of a recording, with their gas (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: ofBlock.extend({
      file: z
        .string()
        .max(1_000, { error: 'text of up to 1000 characters' })
        .optional()
        .meta({ description: 'Name of a file as compiled; default: all' }),
      contract: whole(
        'index of a code that has the file; default: all files of the name',
      ).optional(),
      line: whole('number of a line from 1; default: all').optional(),
      near: whole('step; `steps` are those around it; default 0').optional(),
    }),
    body: none,
    data: executedLinesSchema,
    errors: recordingErrors,
  },
  getDisassembly: {
    method: 'get',
    paths: [`${BASE}/contract/:contract/instructions`],
    summary: 'Instructions of a code that a recording executes (ours)',
    scope: 'analyze',
    params: recordedTransaction.extend({ contract: whole('index of a code in `contracts`') }),
    query: ofBlock.extend({
      pc: whole('byte offset of an instruction; default 0').optional(),
      before: whole('number of instructions before it; default 0').optional(),
      count: whole('number of instructions; default 100, most 2000').optional(),
    }),
    body: none,
    data: disassemblySchema,
    errors: recordingErrors,
  },
  getRecordedFile: {
    method: 'get',
    paths: [`${BASE}/contract/:contract/file`],
    summary: 'A source file of a code that a recording executes (ours)',
    scope: 'analyze',
    params: recordedTransaction.extend({ contract: whole('index of a code in `contracts`') }),
    query: ofBlock.extend({
      file: z
        .string({ error: 'name of a file as compiled' })
        .max(1_000, { error: 'text of up to 1000 characters' })
        .meta({ description: 'Name of a file as compiled' }),
    }),
    body: none,
    data: recordedFileSchema,
    errors: recordingErrors,
  },
} as const;

import * as z from 'zod';
import { balanceChangeSchema, invocationFlowSchema } from './explorer';
import { foundryTestSchema } from './foundry-test';
import { hashSchema, networkSchema } from './primitives';
import { recordedTransaction } from './recording-params';
import { simulateBody } from './simulate';
import { sourceLocationsSchema } from './source-locations';
import { analysisSchema, fundFlowSchema, gasProfileSchema, stateDiffSchema } from './views';

const none = z.object({});
const transaction = z.object({
  chain: networkSchema,
  transaction: hashSchema,
});
/** Proofs continue after the answers that they concern. With this parameter, a client waits for the proved answer. */
const proofQuery = z.object({
  proof: z.enum(['wait']).optional().meta({
    description:
      'wait: answers when no proof of the analysis is running. Without it the answer may be at the level receipt, while a proof is running',
  }),
});
const analysisErrors = [
  'chainNotFound',
  'transactionNotFound',
  'transactionPending',
  'upstreamUnreachable',
  'upstreamLacksData',
  'engineUnavailable',
  'timedOut',
] as const;

const simulationErrors = [
  'chainNotFound',
  'blockNotFound',
  'simulationRejected',
  'upstreamUnreachable',
  'upstreamLacksData',
  'engineUnavailable',
  'timedOut',
] as const;

/** The routes of `ROUTES` that read transactions. */
export const EXPLORER_ROUTES = {
  getBalanceChange: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/balance-change'],
    summary: 'Balance changes of a transaction per account and asset',
    scope: 'analyze',
    params: transaction,
    query: proofQuery,
    body: none,
    data: balanceChangeSchema,
    errors: analysisErrors,
  },
  getInvocationFlow: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/invocation-flow'],
    summary: 'Call tree of a transaction with decoded calls and events',
    scope: 'analyze',
    params: transaction,
    query: proofQuery,
    body: none,
    data: invocationFlowSchema,
    errors: analysisErrors,
  },
  getFundFlow: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/fund-flow'],
    summary: 'Transfers of a transaction in execution order (ours)',
    scope: 'analyze',
    params: transaction,
    query: proofQuery,
    body: none,
    data: fundFlowSchema,
    errors: analysisErrors,
  },
  getStateDiff: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/state-diff'],
    summary: 'Accounts and storage before and after a transaction (ours)',
    scope: 'analyze',
    params: transaction,
    query: proofQuery,
    body: none,
    data: stateDiffSchema,
    errors: analysisErrors,
  },
  getGasProfile: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/gas-profile'],
    summary: 'Gas of a transaction by frame, contract and method (ours)',
    scope: 'analyze',
    params: transaction,
    query: proofQuery,
    body: none,
    data: gasProfileSchema,
    errors: analysisErrors,
  },
  getAnalysis: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/analysis'],
    summary: 'All views of a transaction in one answer, from one trace (ours)',
    scope: 'analyze',
    params: transaction,
    query: proofQuery,
    body: none,
    data: analysisSchema,
    errors: analysisErrors,
  },
  getSourceLocations: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/source-locations'],
    summary:
      'Source positions of the calls and failures of a transaction or a recorded simulation, in the sources of its contracts (ours)',
    scope: 'analyze',
    params: recordedTransaction,
    query: none,
    body: none,
    data: sourceLocationsSchema,
    errors: [...analysisErrors, 'recordingTooLarge', 'recordingUnsupported'],
  },
  getSimulationSourceLocations: {
    method: 'post',
    paths: ['/v1/explorer/:chain/simulate/source-locations'],
    summary:
      'Functions of an unsent transaction in the sources of its contracts, without a recording: the places of calls and failures are those of a recorded simulation (ours)',
    scope: 'analyze',
    params: transaction.pick({ chain: true }),
    query: none,
    body: simulateBody,
    data: sourceLocationsSchema,
    errors: simulationErrors,
  },
  getFoundryTest: {
    method: 'get',
    paths: ['/v1/explorer/:chain/transaction/:transaction/foundry-test'],
    summary: 'A Foundry test that executes a transaction again and asserts its effects (ours)',
    scope: 'analyze',
    params: transaction,
    query: proofQuery,
    body: none,
    data: foundryTestSchema,
    errors: analysisErrors,
  },
  simulate: {
    method: 'post',
    paths: ['/v1/explorer/:chain/simulate'],
    summary: 'Simulate an unsent transaction, and analyze it (ours)',
    scope: 'analyze',
    params: transaction.pick({ chain: true }),
    query: none,
    body: simulateBody,
    data: analysisSchema,
    errors: simulationErrors,
  },
} as const;

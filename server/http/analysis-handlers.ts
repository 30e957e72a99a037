import type { RouteInput } from '../api/routes';
import { foundryTestOf } from '../client/foundry-test-file';
import type { Caller } from '../projects/access-keys';
import type { Handlers } from './context';
import type { AnalysisService, SimulationService, SourceService, TransactionKey } from './services';
import { waitOptions } from './wait-options';

type AnalysisHandlers = Pick<
  Handlers,
  | 'getBalanceChange'
  | 'getInvocationFlow'
  | 'getFundFlow'
  | 'getStateDiff'
  | 'getGasProfile'
  | 'getAnalysis'
  | 'getSourceLocations'
  | 'getSimulationSourceLocations'
  | 'getFoundryTest'
  | 'simulate'
>;

export interface AnalysisServices {
  analysis: AnalysisService;
  simulation: SimulationService;
  sources: SourceService;
}

/** Handlers of the operations that analyze a transaction, or simulate one. */
export function analysisHandlers({
  analysis,
  simulation,
  sources,
}: AnalysisServices): AnalysisHandlers {
  const transactionKey = (
    { chain, transaction }: RouteInput<'getInvocationFlow'>['params'],
    { user }: Caller,
    { proof }: RouteInput<'getInvocationFlow'>['query'] = {},
  ): TransactionKey => ({
    chain,
    hash: transaction,
    user: user.userId,
    isProofAwaited: proof === 'wait',
  });

  return {
    getBalanceChange: async ({ params, query }, context) =>
      analysis.balanceChange(transactionKey(params, context, query), waitOptions(context)),
    getInvocationFlow: async ({ params, query }, context) =>
      analysis.invocationFlow(transactionKey(params, context, query), waitOptions(context)),
    getFundFlow: async ({ params, query }, context) =>
      analysis.fundFlow(transactionKey(params, context, query), waitOptions(context)),
    getStateDiff: async ({ params, query }, context) =>
      analysis.stateDiff(transactionKey(params, context, query), waitOptions(context)),
    getGasProfile: async ({ params, query }, context) =>
      analysis.gasProfile(transactionKey(params, context, query), waitOptions(context)),
    getAnalysis: async ({ params, query }, context) =>
      analysis.all(transactionKey(params, context, query), waitOptions(context)),
    getSourceLocations: async ({ params }, context) =>
      sources.locations(transactionKey(params, context), waitOptions(context)),
    getSimulationSourceLocations: async ({ params: { chain }, body }, context) =>
      sources.ofSimulation(chain, body, context.user.userId, waitOptions(context)),
    getFoundryTest: async ({ params, query }, context) => {
      const key = transactionKey(params, context, query);
      return foundryTestOf(await analysis.all(key, waitOptions(context)));
    },
    simulate: async ({ params: { chain }, body }, context) => {
      return simulation.simulate(chain, body, context.user.userId, waitOptions(context));
    },
  };
}

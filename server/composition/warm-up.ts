import { AnalysisService } from '../analysis/views/analysis-service';
import { ExecutionLocator } from '../analysis/views/execution-locator';
import type { AbiSource, Network, TokenFactsSource } from '../analysis/ports';
import { ApiError } from '../api/errors';
import type { RpcClient } from '../ethereum/json-rpc';
import { pause } from '../async/slices';
import { toWord } from '../ethereum/quantity';
import { jsonPieces } from '../async/json-pieces';
import { noPrices } from '../prices/no-prices';
import { DebugApi } from '../execution/tracing/debug-api';
import { withSyntheticContracts } from './synthetic-contracts';
import { SyntheticNode } from './synthetic-node';
import { syntheticTraces } from './synthetic-calls';

/** Analyses of each trace. More do not make the first analysis faster. */
const ROUNDS = 3;

interface Sources {
  abis: AbiSource;
  tokens: TokenFactsSource;
}

/**
 * Analyses synthetic transactions, so that a user's first analysis finds optimized code and loaded ABIs. Pauses regularly, so that other
 * requests are served. Queries no node and no service.
 */
export async function warmUp(sources: Sources, signal: AbortSignal): Promise<void> {
  const analyses: AnalysisService[] = [];
  for (const trace of syntheticTraces()) {
    analyses.push(analysisOn(new SyntheticNode(trace), sources));
    await pause();
  }
  for (let round = 1; round <= ROUNDS; round++) {
    const request = { chain: 'warm-up', hash: toWord(round) };
    for (const analysis of analyses) {
      const flow = await analysis.invocationFlow(request, { signal });
      const balances = await analysis.balanceChange(request, { signal });
      for (const answer of [flow, balances]) {
        Array.from(jsonPieces(answer));
        await pause();
        signal.throwIfAborted();
      }
    }
  }
}

function analysisOn(node: SyntheticNode, { abis, tokens }: Sources): AnalysisService {
  const debugApi = new DebugApi();
  const executions = new ExecutionLocator({
    networks: { resolve: () => Promise.resolve(networkOf(node)) },
    traces: {
      trace: async (network, mined, ending) => {
        const trace = await debugApi.trace(network, mined, ending);
        if (trace) return trace;
        throw new ApiError('internal', 'the node of the warm-up has no trace');
      },
    },
    abis: withSyntheticContracts(abis),
  });
  return new AnalysisService(executions, {
    tokens,
    prices: noPrices,
    stateDiffs: { diff: () => Promise.reject(new ApiError('internal', 'not warmed up')) },
    spentGas: { spentGas: () => Promise.resolve(undefined) },
    rulesOf: () => undefined,
  });
}

/** Uses the chain id of a development node, for which no service is queried. */
const networkOf = (rpc: RpcClient): Network => ({
  key: 'warm-up',
  chainId: 31_337,
  nativeSymbol: 'ETH',
  hardfork: 'prague',
  rpc,
  replayable: false,
});

import { AnalysisService } from '../../server/analysis/views/analysis-service';
import { ExecutionLocator } from '../../server/analysis/views/execution-locator';
import type { MinedTransaction, Network } from '../../server/analysis/ports';
import { readArtifact } from '../../server/contracts/abi/artifact';
import { Artifacts } from '../../server/contracts/abi/artifacts';
import { builtInSignatures } from '../../server/contracts/abi/built-in/signatures';
import { AbiRegistry } from '../../server/contracts/abi/registry';
import { ApiError } from '../../server/api/errors';
import { ChainlinkPrices } from '../../server/contracts/prices/chainlink';
import { loadSandboxContracts } from '../../server/chains/sandbox/parts/contracts';
import type { Sandbox } from '../../server/chains/sandbox/sandbox';
import { RpcTokenFacts } from '../../server/contracts/tokens/token-facts';
import { TracedStorageWrites } from '../../server/execution/points/storage-writes';
import { DebugApi } from '../../server/execution/tracing/debug-api';
import { unusedSources } from './analysis';

type Analysable = Pick<Sandbox, 'chain' | 'priceFeeds'> & {
  engine: Pick<Sandbox['engine'], 'rpc'>;
};

/** The analysis service for the sandbox's transactions, without an HTTP service. */
export function analysisOf({ chain, engine, priceFeeds }: Analysable): AnalysisService {
  const network: Network = {
    key: chain.slug,
    chainId: chain.chainId,
    nativeSymbol: chain.nativeSymbol,
    wrappedNative: chain.wrappedNative,
    hardfork: chain.hardfork,
    rpc: engine.rpc,
    replayable: false,
  };
  const compiled = Object.values(loadSandboxContracts()).flatMap(
    (contract) => readArtifact(contract, contract.contractName) ?? [],
  );
  const artifacts = new Artifacts(
    { artifacts: () => Promise.resolve(compiled) },
    { own: 'built-in', others: 'built-in' },
  );
  const debugApi = new DebugApi();
  const executions = new ExecutionLocator({
    networks: { resolve: () => Promise.resolve(network) },
    traces: {
      trace: async (on, mined, signal) => {
        const trace = await debugApi.trace(on, mined, signal);
        if (trace === undefined) throw new ApiError('upstreamLacksData', 'anvil does not trace');
        return trace;
      },
    },
    abis: new AbiRegistry({
      contracts: [artifacts],
      signatures: [artifacts, builtInSignatures],
      findCreation: (initCode) => artifacts.findCreation(initCode),
    }),
  });
  const tracer = {
    node: ({ rpc }: Network, { transaction: { hash } }: MinedTransaction) => ({
      rpc,
      run: (tracers: readonly object[]) =>
        Promise.all(tracers.map((one) => rpc.request('debug_traceTransaction', [hash, one]))),
    }),
    onEngine: () => Promise.reject(new Error('the sandbox traces')),
  };
  return new AnalysisService(executions, {
    ...unusedSources,
    tokens: new RpcTokenFacts(),
    states: debugApi,
    storageWrites: new TracedStorageWrites(tracer),
    prices: new ChainlinkPrices(new Map([[chain.chainId, priceFeeds]])),
  });
}

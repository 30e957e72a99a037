import type { Logger } from 'pino';
import type { Artifact } from '../contracts/abi/artifact';
import type { ArtifactFolders } from '../contracts/abi/artifact-folders';
import type { GivenAbis } from '../store/user-supplied/given-abis';
import type { AbiRegistry } from '../contracts/abi/registry';
import { createAbiRegistry } from './abi-services';
import { AddressDirectory } from '../chains/explorer/address-facts';
import { BlockExplorer } from '../chains/explorer/block-explorer';
import { DataDecoder } from '../analysis/decoding/data-decoder';
import { AnalysisService } from '../analysis/views/analysis-service';
import { succeeded } from '../analysis/executed-transaction';
import type { LabelSource, PriceSource } from '../analysis/ports';
import { Proofs, type OnProof } from '../analysis/traces/proofs';
import { Simulation } from '../analysis/simulation/simulation';
import { ExecutionLocator } from '../analysis/views/execution-locator';
import type { Chain, Config, PublicChain } from '../api/config';
import { requireExecuted } from '../evm/rules/block-rules';
import { rulesOf } from '../evm/rules/known-hardfork';
import { knownChain } from '../evm/families/known-chains';
import type { RuleSource } from '../evm/rules/rule-source';
import type { StartEngine } from '../evm/forms/engine';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { Forks } from '../forks/life/forks';
import { NetworkDirectory } from '../chains/explorer/network-directory';
import { ChainlinkPrices } from '../contracts/prices/chainlink';
import { CHAINLINK_FEEDS, type ChainFeeds } from '../contracts/prices/chainlink-feeds';
import { DefiLlamaPrices } from '../contracts/prices/defillama';
import { noPrices } from '../contracts/prices/no-prices';
import type { BlockExplorerService, HistoryService } from '../http/services';
import type { UpstreamGateway } from '../chains/upstream/upstream-gateway';
import type { KeptSandbox } from '../sandbox/kept-sandbox';
import { AddressSources } from '../contracts/sources/address-sources';
import type { CodeSources } from '../contracts/sources/code-sources';
import { SourceLocator } from '../contracts/sources/source-locations';
import { KnownContracts } from '../contracts/known/known-contracts';
import { ListedContracts } from '../contracts/known/listed-contracts';
import { ListedTokens } from '../contracts/known/listed-tokens';
import { RpcTokenFacts } from '../contracts/tokens/token-facts';
import { DebugCallSimulator } from '../execution/simulate/call-simulator';
import { DebugApi } from '../execution/tracing/debug-api';
import type { Executions } from '../execution/engines/executions';
import { TransactionTracer } from '../execution/engines/transaction-tracer';
import { RecordedExecutions } from '../debugger/session/recorded-executions';
import { RecordedFramePoints } from '../debugger/session/recorded-frame-points';
import { TracedFramePoints } from '../execution/points/frame-points';
import { CachedTraces } from '../execution/cached-traces';
import { ReplayTraceSource } from '../execution/replay/replay-trace-source';
import { ReplayProver } from '../execution/replay/replay-prover';
import { TracedSpentGas } from '../execution/points/spent-gas';
import { TracedStorageWrites } from '../execution/points/storage-writes';
import { StateDifferences } from '../execution/points/state-differences';
import { NetworkTraceSource } from '../execution/trace-source';
import type { ExecutionFiles } from './execution-files';
import { createHistory } from './history-services';
import { createSources, type SolcFolders } from './source-services';
import { engineLoans } from './trace-services';
import type { RecordingService } from '../debugger/answers/recording-service';
import { createRecordings, simulationSource } from './recording-services';
import type { RecordingPorts } from '../debugger/session/recordings';
import { TransactionSearch } from '../chains/explorer/transaction-search';

export interface AnalysisServicesOptions extends ExecutionFiles {
  config: Config;
  chains: {
    bySlug(slug: string): Chain;
    has(slug: string): boolean;
    list(): PublicChain[];
    isConfigured(slug: string): boolean;
  };
  upstreamOf: (chain: Chain) => RpcClient;
  gateway: UpstreamGateway;
  rules: RuleSource;
  startEngine: StartEngine;
  forks: Forks;
  executions: Executions;
  /** The built-in chain, if the service runs it. */
  sandbox: KeptSandbox | undefined;
  /** Its contracts; empty without it. */
  compiled: () => Promise<readonly Artifact[]>;
  /** ABIs that users uploaded. */
  given: GivenAbis;
  /** Labels that users set. */
  userLabels: LabelSource;
  /** Folder for cached answers of the ABI services. */
  cacheFolder: string;
  /** Folder for sources of verified contracts. */
  sourceFolder: string;
  solcFolders: SolcFolders;
  onProof: OnProof;
  simulatedElsewhere: RecordingPorts['simulatedElsewhere'];
  log: Logger;
}

export interface AnalysisServices {
  analysis: AnalysisService;
  simulation: Simulation;
  sources: SourceLocator;
  recordings: RecordingService;
  /** Sources of executed code. */
  codeSources: CodeSources;
  addressSources: AddressSources;
  abiRegistry: AbiRegistry;
  artifactFolders: ArtifactFolders;
  addresses: AddressDirectory;
  explorer: BlockExplorerService;
  decoder: DataDecoder;
  search: TransactionSearch;
  history: HistoryService;
  /** Stops the idle engines that are kept ready for the next analysis, and a running compiler. */
  closeEngines: () => Promise<void>;
}

/** Composes the analysis operations from all sources of traces, ABIs, token facts and prices. */
export function createAnalysis(options: AnalysisServicesOptions): AnalysisServices {
  const { config, executions } = options;
  const engines = engineLoans(options);
  const replay = new ReplayTraceSource(engines, executions);
  const tracer = new TransactionTracer(engines, executions);
  const networks = new NetworkDirectory({ ...options, labels: config.labels });
  const knownContracts = new KnownContracts();
  const tokens = new ListedTokens(new RpcTokenFacts(), knownContracts);
  const prices = createPrices(options);
  const debugApi = new DebugApi();
  const sourceServices = createSources(options);
  const { artifactFolders, codeSources } = sourceServices;
  const abiRegistry = createAbiRegistry({ ...options, ...sourceServices });
  const abis = new ListedContracts(abiRegistry, knownContracts);
  const traces = new CachedTraces(
    new NetworkTraceSource(debugApi, replay),
    new ReplayProver(engines, executions),
    options.traceFiles,
  );
  const proofs = new Proofs(traces, options.onProof);
  const { userLabels } = options;
  const locator = new ExecutionLocator({
    networks,
    traces,
    proofs,
    abis,
    userLabels,
  });
  const analysis = new AnalysisService(locator, {
    tokens,
    knownContracts,
    prices,
    states: debugApi,
    stateDiffs: new StateDifferences(tracer),
    spentGas: new TracedSpentGas(tracer),
    storageWrites: new TracedStorageWrites(tracer),
    layouts: codeSources,
    rulesOf: (network, block) =>
      knownChain(network.chainId).hasOwnGas ? null : rulesOf(network, block),
  });
  const calls = new DebugCallSimulator(engines, executions);
  const simulation = new Simulation(networks, calls, analysis);
  const simulations = simulationSource(simulation, locator);
  const recorded = createRecordings({
    networks,
    executions: locator,
    simulations,
    replay,
    rulesOf: async (network, block) => requireExecuted(await engines.rulesOf(network, block)),
    programs: codeSources,
    revisionOf: (user) => options.given.revision(user),
    simulatedElsewhere: options.simulatedElsewhere,
    store: options.recordingFiles,
  });
  const sources = new SourceLocator({
    executions: new RecordedExecutions(locator, recorded.recordings),
    simulations,
    succeeded,
    points: new RecordedFramePoints(recorded.recordings, new TracedFramePoints(tracer)),
    sources: codeSources,
  });
  const addressSources = new AddressSources({
    networks,
    sources: codeSources,
    known: knownContracts,
  });
  return {
    analysis,
    simulation,
    sources,
    recordings: recorded.service,
    codeSources,
    addressSources,
    abiRegistry,
    artifactFolders,
    explorer: createExplorer(networks, abiRegistry, options),
    decoder: new DataDecoder({ networks, abis: abiRegistry }),
    addresses: new AddressDirectory({
      networks,
      abis,
      tokens,
      knownContracts,
      userLabels,
    }),
    search: new TransactionSearch(options),
    history: createHistory({
      networks,
      abis,
      layouts: codeSources,
      userLabels,
      engines,
      executions,
      recordings: recorded.service,
      analysis,
      addressSources,
      replays: replay,
      payments: {
        locate: locator.locate.bind(locator),
        locations: sources.locations.bind(sources),
      },
    }),
    closeEngines: async () => {
      await sourceServices.compilers.close();
      await proofs.close();
      await replay.close();
    },
  };
}

function createExplorer(
  networks: NetworkDirectory,
  abis: AbiRegistry,
  { userLabels, sandbox }: Pick<AnalysisServicesOptions, 'userLabels' | 'sandbox'>,
): BlockExplorerService {
  const blocks = new BlockExplorer({
    networks,
    userLabels,
    methodNames: (selectors) => abis.methodNames(selectors),
    now: () => performance.now(),
  });
  return {
    health: blocks.health.bind(blocks),
    activity: blocks.activity.bind(blocks),
    addressOfName: blocks.addressOfName.bind(blocks),
    addressTransactions: blocks.addressTransactions.bind(blocks),
    blocks: blocks.blocks.bind(blocks),
    transactions: blocks.transactions.bind(blocks),
    story: (chain) => (chain === sandbox?.chain.slug ? sandbox.story : []),
  };
}

function createPrices({
  config: { prices },
  sandbox,
  log,
}: Pick<AnalysisServicesOptions, 'config' | 'sandbox' | 'log'>): PriceSource {
  switch (prices.source) {
    case 'chainlink':
      return new ChainlinkPrices(
        new Map<number, ChainFeeds>([
          ...CHAINLINK_FEEDS,
          ...(sandbox ? [[sandbox.chain.chainId, sandbox.priceFeeds] as const] : []),
        ]),
      );
    case 'defillama':
      return new DefiLlamaPrices({ url: prices.url, log });
    case 'none':
      return noPrices;
  }
}

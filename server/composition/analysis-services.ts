import type { Logger } from 'pino';
import type { Artifact } from '../contracts/abi/artifact';
import type { ArtifactFolders } from '../contracts/abi/artifact-folders';
import type { GivenAbis } from '../store/user-supplied/given-abis';
import { CodeShapes } from '../contracts/abi/code-shapes';
import { AbiRegistry } from '../contracts/abi/registry';
import type { SignatureSource } from '../contracts/abi/sources';
import { createAbiLookups } from './abi-services';
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
import type { Lookups } from '../cases/known/lookups';
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
import type { HistoryService } from '../http/history-handlers';
import type { BlockExplorerService } from '../http/services';
import type { UpstreamGateway } from '../chains/upstream/upstream-gateway';
import type { KeptSandbox } from '../sandbox/kept-sandbox';
import { AddressSources } from '../contracts/sources/address-sources';
import { CodeSources, type UnoptimizedBuilder } from '../contracts/sources/code-sources';
import { SourceLocator } from '../contracts/sources/source-locations';
import { KnownContracts } from '../contracts/known/known-contracts';
import { ListedContracts } from '../contracts/known/listed-contracts';
import { ListedTokens } from '../contracts/known/listed-tokens';
import { RpcTokenFacts } from '../contracts/tokens/token-facts';
import { DebugCallSimulator } from '../execution/simulate/call-simulator';
import { CallTraces } from '../execution/tracing/call-traces';
import { DebugApi } from '../execution/tracing/debug-api';
import type { Executions } from '../execution/engines/executions';
import { TransactionTracer } from '../execution/engines/transaction-tracer';
import { RecordedExecutions } from '../debugger/session/recorded-executions';
import { RecordedFramePoints } from '../debugger/session/recorded-frame-points';
import { TracedFramePoints } from '../execution/points/frame-points';
import { CachedTraces, type TraceStore } from '../execution/cached-traces';
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

/** What an analysis of any chain needs. */
export interface AnalysisParts {
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
  /** Who knows something about contracts and addresses besides the chain's node. */
  lookups: Lookups;
  /** Builds without the optimizer, for the debugger. */
  unoptimized?: UnoptimizedBuilder | undefined;
  traceFiles: TraceStore;
  recordingFiles: RecordingPorts['store'];
  /** Changes with every change of the interfaces that a user gave. */
  revisionOf: (user: string) => Promise<string>;
  onProof: OnProof;
  simulatedElsewhere: RecordingPorts['simulatedElsewhere'];
}

export interface AnalysisServicesOptions
  extends
    ExecutionFiles,
    Omit<
      AnalysisParts,
      'lookups' | 'unoptimized' | 'revisionOf' | 'traceFiles' | 'recordingFiles'
    > {
  config: Config;
  /** The contracts of the built-in chain; empty without it. */
  compiled: () => Promise<readonly Artifact[]>;
  /** Signatures that are part of the program, in order. */
  inProgram: Iterable<SignatureSource>;
  /** ABIs that users uploaded. */
  given: GivenAbis;
  /** Labels that users set. */
  userLabels: LabelSource;
  /** Folder for cached answers of the ABI services. */
  cacheFolder: string;
  /** Folder for sources of verified contracts. */
  sourceFolder: string;
  solcFolders: SolcFolders;
  log: Logger;
}

/** The operations on chains and forks. */
export interface ChainAnalysis {
  analysis: AnalysisService;
  simulation: Simulation;
  sources: SourceLocator;
  recordings: RecordingService;
  /** Sources of executed code. */
  codeSources: CodeSources;
  addressSources: AddressSources;
  abiRegistry: AbiRegistry;
  addresses: AddressDirectory;
  explorer: BlockExplorerService;
  decoder: DataDecoder;
  search: TransactionSearch;
  history: HistoryService;
  /** Stops the idle engines that are kept ready for the next analysis. */
  closeEngines: () => Promise<void>;
}

export interface AnalysisServices extends ChainAnalysis {
  lookups: Lookups;
  artifactFolders: ArtifactFolders;
}

/** Composes the analysis operations from all sources of traces, ABIs, token facts and prices. */
export function createAnalysis(options: AnalysisServicesOptions): AnalysisServices {
  const { config, given, userLabels } = options;
  const sources = createSources(options);
  const { artifactFolders, finders, isPrivate, unoptimized, compilers } = sources;
  const lookups: Lookups = {
    ...createAbiLookups({ ...options, ...sources }),
    finders,
    given,
    userLabels,
    labels: config.labels,
    prices: createPrices(options),
    isPrivate,
  };
  const revisionOf = (user: string): Promise<string> => given.revision(user);
  const services = composeAnalysis({ ...options, lookups, unoptimized, revisionOf });
  return {
    ...services,
    lookups,
    artifactFolders,
    closeEngines: async () => {
      await compilers.close();
      await services.closeEngines();
    },
  };
}

/** Composes the operations on chains with given look-ups. */
export function composeAnalysis(options: AnalysisParts): ChainAnalysis {
  const { executions, lookups } = options;
  const facts = createFacts(options);
  const { networks, codeSources, abiRegistry, abis, knownContracts, tokens } = facts;
  const tracing = createTracing(options, facts);
  const { engines, replay, tracer, proofs, locator } = tracing;
  const { userLabels } = lookups;
  const analysis = createAnalysisService(lookups, facts, tracing);
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
    revisionOf: options.revisionOf,
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
    explorer: createExplorer(networks, abiRegistry, { userLabels, sandbox: options.sandbox }),
    decoder: new DataDecoder({ networks, abis: abiRegistry }),
    addresses: new AddressDirectory({ networks, abis, tokens, knownContracts, userLabels }),
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
      await proofs.close();
      await replay.close();
    },
  };
}

/** Which chains there are, and what is known of contracts and tokens. */
function createFacts(options: AnalysisParts) {
  const { lookups, unoptimized } = options;
  const knownContracts = new KnownContracts();
  const abiRegistry = new AbiRegistry({ ...lookups, shapes: new CodeShapes() });
  return {
    networks: new NetworkDirectory({ ...options, labels: lookups.labels }),
    knownContracts,
    tokens: new ListedTokens(new RpcTokenFacts(), knownContracts),
    codeSources: new CodeSources({ ...lookups, unoptimized }),
    abiRegistry,
    abis: new ListedContracts(abiRegistry, knownContracts),
  };
}

type Facts = ReturnType<typeof createFacts>;

/** Where traces come from, and how they are proved. */
function createTracing(options: AnalysisParts, { networks, abis }: Facts) {
  const { executions, lookups } = options;
  const engines = engineLoans(options);
  const replay = new ReplayTraceSource(engines, executions);
  const debugApi = new DebugApi();
  const traces = new CachedTraces(
    new NetworkTraceSource(debugApi, replay, new CallTraces()),
    new ReplayProver(engines, executions),
    options.traceFiles,
  );
  const proofs = new Proofs(traces, options.onProof);
  const { userLabels } = lookups;
  return {
    engines,
    replay,
    tracer: new TransactionTracer(engines, executions),
    debugApi,
    proofs,
    locator: new ExecutionLocator({ networks, traces, proofs, abis, userLabels }),
  };
}

const createAnalysisService = (
  { prices }: Pick<Lookups, 'prices'>,
  { tokens, knownContracts, codeSources }: Facts,
  { locator, debugApi, tracer }: ReturnType<typeof createTracing>,
): AnalysisService =>
  new AnalysisService(locator, {
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

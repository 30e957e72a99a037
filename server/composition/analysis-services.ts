import type { Logger } from 'pino';
import type { Artifact } from '../contracts/abi/artifact';
import type { ArtifactFolders } from '../contracts/abi/artifact-folders';
import type { GivenAbis } from '../store/user-supplied/given-abis';
import type { AbiRegistry } from '../contracts/abi/registry';
import type { SignatureSource } from '../contracts/abi/sources';
import { createAbiLookups } from './abi-services';
import { AddressDirectory } from '../chains/explorer/address-facts';
import { BlockExplorer } from '../chains/explorer/block-explorer';
import { DataDecoder } from '../analysis/decoding/data-decoder';
import { AnalysisService } from '../analysis/views/analysis-service';
import { succeeded } from '../analysis/executed-transaction';
import type { LabelSource, PriceSource } from '../analysis/ports';
import { Simulation, type SimulationNetworks } from '../analysis/simulation/simulation';
import type { Config } from '../api/config';
import type { Lookups } from '../cases/known/lookups';
import { requireExecuted } from '../evm/rules/block-rules';
import { rulesOf } from '../evm/rules/known-hardfork';
import { knownChain } from '../evm/families/known-chains';
import type { NetworkDirectory } from '../chains/explorer/network-directory';
import { ChainlinkPrices } from '../contracts/prices/chainlink';
import { CHAINLINK_FEEDS, type ChainFeeds } from '../contracts/prices/chainlink-feeds';
import { DefiLlamaPrices } from '../contracts/prices/defillama';
import { noPrices } from '../contracts/prices/no-prices';
import type { HistoryService } from '../http/history-handlers';
import type { BlockExplorerService } from '../http/services';
import { AddressSources } from '../contracts/sources/address-sources';
import type { CodeSources, UnoptimizedBuilder } from '../contracts/sources/code-sources';
import { SourceLocator } from '../contracts/sources/source-locations';
import { DebugCallSimulator } from '../execution/simulate/call-simulator';
import { RecordedExecutions } from '../debugger/session/recorded-executions';
import { RecordedFramePoints } from '../debugger/session/recorded-frame-points';
import { TracedFramePoints } from '../execution/points/frame-points';
import { TracedSpentGas } from '../execution/points/spent-gas';
import { TracedStorageWrites } from '../execution/points/storage-writes';
import { StateDifferences } from '../execution/points/state-differences';
import type { AnalysisParts } from './analysis-parts';
import { createFacts, createTracing, type Facts, type Tracing } from './analysis-sources';
import type { ExecutionFiles } from './execution-files';
import { createHistory } from './history-services';
import { createSources, type SolcFolders } from './source-services';
import type { RecordingService } from '../debugger/answers/recording-service';
import { createRecordings, simulationSource } from './recording-services';
import { TransactionSearch } from '../chains/explorer/transaction-search';

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
  unoptimized: UnoptimizedBuilder;
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
    unoptimized,
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
    names: analysis,
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
  const sourcesOn = (on: SimulationNetworks): AddressSources =>
    new AddressSources({ networks: on, sources: codeSources, known: knownContracts });
  return {
    analysis,
    simulation,
    sources,
    recordings: recorded.service,
    codeSources,
    addressSources: sourcesOn(networks),
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
      sourcesOn,
      held: options.held,
      replays: replay,
      tokens,
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

const createAnalysisService = (
  { prices }: Pick<Lookups, 'prices'>,
  { tokens, knownContracts, codeSources }: Facts,
  { locator, debugApi, tracer }: Tracing,
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

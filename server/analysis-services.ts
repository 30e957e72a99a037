import type { Logger } from 'pino';
import { ArtifactFolders } from './abi/artifact-folders';
import { readArtifact } from './abi/artifact';
import { Artifacts } from './abi/artifacts';
import { builtInSignatures } from './abi/built-in/signatures';
import { AbiRegistry } from './abi/registry';
import { AnalysisService } from './analysis/analyze';
import type { PriceSource } from './analysis/ports';
import type { Chain, Config } from './api/config';
import { hardforkAt } from './chains/hardfork';
import type { StartEngine } from './ethereum/engine';
import type { RpcClient } from './ethereum/json-rpc';
import type { Forks } from './forks/forks';
import { NetworkDirectory } from './networks';
import { ChainlinkPrices } from './prices/chainlink';
import { CHAINLINK_FEEDS, type ChainFeeds } from './prices/chainlink-feeds';
import { DefiLlamaPrices } from './prices/defillama';
import { noPrices } from './prices/no-prices';
import type { UpstreamGateway } from './rpc/upstream-gateway';
import { loadSandboxContracts } from './sandbox/contracts';
import type { Sandbox } from './sandbox/sandbox';
import { RpcTokenFacts } from './tokens/token-facts';
import { DebugApi } from './trace/debug-api';
import { LocalReplay } from './trace/local-replay';
import { NetworkTraceSource } from './trace/trace-source';

export interface AnalysisServicesOptions {
  config: Config;
  chains: { bySlug(slug: string): Chain; has(slug: string): boolean };
  upstreamOf: (chain: Chain) => RpcClient;
  gateway: UpstreamGateway;
  startEngine: StartEngine;
  forks: Forks;
  /** The built-in chain, where it is served. */
  sandbox: Sandbox | undefined;
  log: Logger;
}

/** The two analysis operations over every source of traces, interfaces, token facts and prices. */
export function createAnalysis(options: AnalysisServicesOptions): AnalysisService {
  const { config, chains, gateway, startEngine, sandbox } = options;
  const replay = new LocalReplay({
    startEngine,
    openUpstream: ({ chainId, rpc }) => gateway.open({ chainId, upstream: rpc }),
    hardforkOf: (network, { number, timestamp }) =>
      hardforkAt(chains.bySlug(network.key), {
        number: Number(number),
        timestamp: Number(timestamp),
      }).hardfork,
  });
  const debugApi = new DebugApi();
  return new AnalysisService({
    networks: new NetworkDirectory(options),
    traces: new NetworkTraceSource(debugApi, replay),
    states: debugApi,
    abis: createAbiRegistry(options),
    tokens: new RpcTokenFacts(),
    prices: createPrices(config, sandbox),
  });
}

/** From the most to the least trustworthy: the user's own artifacts, those of the sandbox, what is well known. */
function createAbiRegistry({ config, sandbox, log }: AnalysisServicesOptions): AbiRegistry {
  const workspace = new Artifacts(new ArtifactFolders(config.abi.artifacts, { log }));
  const compiled = sandbox === undefined ? [] : sandboxArtifacts();
  const builtIn = new Artifacts({ artifacts: () => Promise.resolve(compiled) });
  return new AbiRegistry({
    contracts: [workspace, builtIn],
    signatures: [workspace, builtIn, builtInSignatures],
    findCreation: async (initCode) =>
      (await workspace.findCreation(initCode)) ?? builtIn.findCreation(initCode),
  });
}

const sandboxArtifacts = (): NonNullable<ReturnType<typeof readArtifact>>[] =>
  Object.values(loadSandboxContracts()).flatMap(
    (contract) => readArtifact(contract, contract.contractName) ?? [],
  );

function createPrices({ prices }: Config, sandbox: Sandbox | undefined): PriceSource {
  switch (prices.source) {
    case 'chainlink':
      return new ChainlinkPrices(
        new Map<number, ChainFeeds>([
          ...CHAINLINK_FEEDS,
          ...(sandbox ? [[sandbox.chain.chainId, sandbox.priceFeeds] as const] : []),
        ]),
      );
    case 'defillama':
      return new DefiLlamaPrices(prices.url === undefined ? {} : { url: prices.url });
    case 'none':
      return noPrices;
  }
}

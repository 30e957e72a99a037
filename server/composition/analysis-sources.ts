import { Proofs } from '../analysis/traces/proofs';
import { ExecutionLocator } from '../analysis/views/execution-locator';
import { NetworkDirectory } from '../chains/explorer/network-directory';
import { CodeShapes } from '../contracts/abi/code-shapes';
import { AbiRegistry } from '../contracts/abi/registry';
import { KnownContracts } from '../contracts/known/known-contracts';
import { ListedContracts } from '../contracts/known/listed-contracts';
import { ListedTokens } from '../contracts/known/listed-tokens';
import { CodeSources } from '../contracts/sources/code-sources';
import { RpcTokenFacts } from '../contracts/tokens/token-facts';
import { CachedTraces } from '../execution/cached-traces';
import { TransactionTracer } from '../execution/engines/transaction-tracer';
import { ReplayProver } from '../execution/replay/replay-prover';
import { ReplayTraceSource } from '../execution/replay/replay-trace-source';
import { NetworkTraceSource } from '../execution/trace-source';
import { CallTraces } from '../execution/tracing/call-traces';
import { DebugApi } from '../execution/tracing/debug-api';
import type { AnalysisParts } from './analysis-parts';
import { engineLoans } from './trace-services';

/** Which chains there are, and what is known of contracts and tokens. */
export interface Facts {
  networks: NetworkDirectory;
  knownContracts: KnownContracts;
  tokens: ListedTokens;
  codeSources: CodeSources;
  abiRegistry: AbiRegistry;
  abis: ListedContracts;
}

/** Where traces come from, and how they are proved. */
export interface Tracing {
  engines: ReturnType<typeof engineLoans>;
  replay: ReplayTraceSource;
  tracer: TransactionTracer;
  debugApi: DebugApi;
  proofs: Proofs;
  locator: ExecutionLocator;
}

export function createFacts(options: AnalysisParts): Facts {
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

export function createTracing(options: AnalysisParts, { networks, abis }: Facts): Tracing {
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

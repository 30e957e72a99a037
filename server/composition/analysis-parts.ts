import type { OnProof } from '../analysis/traces/proofs';
import type { Chain, PublicChain } from '../api/config';
import type { Lookups } from '../cases/known/lookups';
import type { UpstreamGateway } from '../chains/upstream/upstream-gateway';
import type { UnoptimizedBuilder } from '../contracts/sources/code-sources';
import type { RecordingPorts } from '../debugger/session/recordings';
import type { StartEngine } from '../evm/forms/engine';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { RuleSource } from '../evm/rules/rule-source';
import type { TraceStore } from '../execution/cached-traces';
import type { Executions } from '../execution/engines/executions';
import type { HeldPlace } from '../history/held/held-block';
import type { Forks } from '../forks/life/forks';
import type { KeptSandbox } from '../chains/sandbox/kept-sandbox';

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
  /** Whether the blocks of the chains are those of a fork, as in a case file about one. */
  hasForkBlocks?: boolean;
  /** Of a case file: the transaction with which its chain ends. */
  held?: HeldPlace | undefined;
  traceFiles: TraceStore;
  recordingFiles: RecordingPorts['store'];
  /** Changes with every change of the interfaces that a user gave. */
  revisionOf: (user: string) => Promise<string>;
  onProof: OnProof;
  simulatedElsewhere: RecordingPorts['simulatedElsewhere'];
}

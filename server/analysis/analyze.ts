import type { BalanceChange, InvocationFlow } from '../api/explorer';
import type { Address, Hash } from '../api/primitives';
import type { OnProgress } from '../api/progress';
import { balanceChangeWork } from './balance-changes';
import { dataLength, executionSteps, type CallFrame } from './call-frame';
import { succeeded, type ExecutedTransaction, type LocatedExecution } from './executed-transaction';
import { identifyRequestWork } from './identify-request';
import { invocationFlowWork } from './invocation-flow';
import { labelsOf, type LabelSource } from './labels';
import { findTransaction, loadMined } from './load-transaction';
import { netChangesWork, pricedAssets } from './net-changes';
import type {
  AbiSource,
  Network,
  NetworkResolver,
  PriceSource,
  StateSource,
  TokenFacts,
  TokenFactsSource,
  TraceSource,
} from './ports';
import { SharedCache, type WaitOptions } from '../async/shared-cache';
import { mintOf } from '../ethereum/deposit';
import { isSince } from '../rules/hardforks';
import type { RpcTransaction } from '../ethereum/types';
import { inSlices, pause } from '../async/slices';
import { rulesOf } from './rules';
import { TraceDecoder } from './trace-decoder';
import { transactionFacts } from './transaction-facts';
import type { Proofs } from './proofs';
import type { Transfer, TransferContext } from './transfer';
import { tokensOf, transfersWork } from './transfers';
import { balanceVerification, BalanceVerifier, UNCHECKED, withoutGuesses } from './verify-balances';
import { traceVerification } from './verify-trace';

export interface AnalysisDependencies {
  readonly networks: NetworkResolver;
  readonly traces: TraceSource;
  readonly abis: AbiSource;
  /** If omitted, users have no labels. */
  readonly userLabels?: LabelSource;
  readonly tokens: TokenFactsSource;
  readonly prices: PriceSource;
  /** Verifies balance changes against the state. If omitted, they stay unchecked. */
  readonly states?: StateSource;
  /** Raises the verification level of replays. If omitted, they keep their level. */
  readonly proofs?: Proofs;
}

export interface AnalysisRequest {
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  readonly hash: Hash;
  /** Id of the user. */
  readonly user?: string;
  /** The response waits until no proof of the analysis is running. */
  readonly isProofAwaited?: boolean;
}

export type AnalysisOptions = WaitOptions;

/** Bound of the cache, in characters of call data, return data and event data of all traces. */
const CACHED_CHARACTERS = 100_000_000;
const CHARACTERS_PER_STEP = 1_000;

/** The two analysis operations. Both use the same trace, which is created once per transaction and block. */
export class AnalysisService {
  private readonly executed = new SharedCache<ExecutedTransaction>(CACHED_CHARACTERS, weigh);

  private readonly verifier: BalanceVerifier | undefined;

  constructor(private readonly sources: AnalysisDependencies) {
    this.verifier = sources.states && new BalanceVerifier(sources.states);
  }

  /** @throws ApiError `chainNotFound`, `transactionNotFound`, `transactionPending`, `upstream…`, `engineUnavailable`, `timedOut`, `cancelled` */
  async balanceChange(
    request: AnalysisRequest,
    { signal, onProgress }: AnalysisOptions = {},
  ): Promise<BalanceChange> {
    return this.balancesOf(await this.locate(request, signal, onProgress), signal);
  }

  /** @throws ApiError as `balanceChange` */
  async invocationFlow(
    request: AnalysisRequest,
    { signal, onProgress }: AnalysisOptions = {},
  ): Promise<InvocationFlow> {
    return this.flowOf(await this.locate(request, signal, onProgress), signal, onProgress);
  }

  /** Returns the trace that all views of a transaction share. @throws ApiError as `balanceChange` */
  async locate(
    { chain, hash, user, isProofAwaited = false }: AnalysisRequest,
    signal: AbortSignal | undefined,
    onProgress?: OnProgress,
  ): Promise<LocatedExecution> {
    const network = { ...(await this.sources.networks.resolve(chain, hash, signal)), user };
    const execution = (): Promise<ExecutedTransaction> =>
      this.execution(network, hash, { signal, onProgress });
    let executed = await execution();
    if (isProofAwaited && executed.proving?.state === 'running') {
      onProgress?.({ stage: 'proving', done: 0, total: 1 });
      await this.sources.proofs?.ended(keyOf(network, executed.mined.transaction), signal);
      executed = await execution();
    }
    return this.identified({ network, executed }, signal);
  }

  async balancesOf(
    located: LocatedExecution,
    signal: AbortSignal | undefined,
  ): Promise<BalanceChange> {
    const { network, executed } = located;
    const { mined, trace } = executed;
    const transfers = await transfersOf(located, signal);
    const nets = await inSlices(netChangesWork(transfers), signalOrNever(signal));
    const block = BigInt(mined.receipt.blockNumber);
    const assets = pricedAssets(nets);
    const [measured, tokens, prices] = await Promise.all([
      this.verifier?.prove(
        { network, mined, trace, transfers, nets, contracts: located.known.contracts },
        signalOrNever(signal),
      ) ?? UNCHECKED,
      this.tokenFacts(network, tokensOf(transfers), block, signal),
      this.sources.prices.pricesAt(
        network,
        assets,
        { number: block, timestamp: Number(mined.block.timestamp) },
        signalOrNever(signal),
      ),
    ]);
    const verification = traceVerification(executed);
    const isProved = executed.isSimulated ?? verification.level === 'state-proved';
    const proof = isProved ? measured : withoutGuesses(measured);
    const balanceChange = await inSlices(
      balanceChangeWork(nets, [trace.root.from, trace.root.to], {
        tokens,
        prices,
        nativeSymbol: network.nativeSymbol,
        checked: proof.checked,
      }),
      signalOrNever(signal),
    );
    return {
      status: succeeded(executed),
      balanceChange,
      verification: balanceVerification(verification, proof),
    };
  }

  async flowOf(
    located: LocatedExecution,
    signal: AbortSignal | undefined,
    onProgress?: OnProgress,
  ): Promise<InvocationFlow> {
    const { network, executed, known } = located;
    const { mined, trace } = executed;
    const transfers = await transfersOf(located, signal);
    const block = BigInt(mined.receipt.blockNumber);
    const tokens = await this.tokenFacts(network, tokensOf(transfers), block, signal);
    const flow = await inSlices(
      invocationFlowWork(trace.root, new TraceDecoder(known)),
      signalOrNever(signal),
      onProgress && decodingProgress(trace.root, onProgress),
    );
    const labels = labelsOf(located, tokens);
    await pause();
    return {
      status: succeeded(executed),
      ...flow,
      transaction: transactionFacts(network, mined),
      ...labels,
      verification: traceVerification(executed),
    };
  }

  private async execution(
    network: Network,
    hash: Hash,
    options: AnalysisOptions,
  ): Promise<ExecutedTransaction> {
    const transaction = await findTransaction(network, hash, options.signal);
    const key = keyOf(network, transaction);
    const executed = await this.executed.get(
      key,
      async (shared, tell) => {
        tell({ stage: 'tracing', done: 0, total: 1 });
        const mined = await loadMined(network, transaction, shared);
        const trace = await this.sources.traces.trace(network, mined, shared, tell);
        tell({ stage: 'tracing', done: 1, total: 1 });
        await pause();
        return { mined, trace };
      },
      options,
    );
    const replace = (proved: ExecutedTransaction): void => {
      this.executed.replace(key, proved);
    };
    return this.sources.proofs?.start(key, network, executed, replace) ?? executed;
  }

  /** Identifies the contracts of a trace. */
  async identified(
    { network, executed }: Pick<LocatedExecution, 'network' | 'executed'>,
    signal: AbortSignal | undefined,
  ): Promise<LocatedExecution> {
    const { mined, trace, overriddenCode } = executed;
    const { number, hash } = mined.block;
    const found = await inSlices(
      identifyRequestWork(trace.root, { number: BigInt(number), hash }),
      signalOrNever(signal),
    );
    const request = overriddenCode
      ? { ...found, deployed: new Map([...overriddenCode, ...found.deployed]) }
      : found;
    const { key, chain = key, user } = network;
    const [known, userLabels] = await Promise.all([
      this.sources.abis.identify(network, request, signalOrNever(signal)),
      user === undefined ? {} : (this.sources.userLabels?.labelsOf(user, [chain, key]) ?? {}),
    ]);
    return { network, executed, known, userLabels };
  }

  private tokenFacts(
    network: Network,
    tokens: readonly Address[],
    block: bigint,
    signal: AbortSignal | undefined,
  ): Promise<ReadonlyMap<Address, TokenFacts>> {
    return this.sources.tokens.factsOf(network, tokens, block, signalOrNever(signal));
  }
}

/** Reports at the pauses of the work, so that short work reports nothing. */
function decodingProgress(root: CallFrame, onProgress: OnProgress): (done: number) => void {
  const total = executionSteps(root).length;
  return (done) => {
    onProgress({ stage: 'decoding calls', done, total });
  };
}

/** The key includes the block: after a reorganisation or a fork's revert, the same transaction may be in another block. */
const keyOf = ({ key }: Network, { hash, blockHash }: RpcTransaction): string =>
  [key, hash, blockHash].join();

const NEVER = new AbortController().signal;
const signalOrNever = (signal: AbortSignal | undefined): AbortSignal => signal ?? NEVER;

const transfersOf = (
  located: LocatedExecution,
  signal: AbortSignal | undefined,
): Promise<Transfer[]> =>
  inSlices(
    transfersWork(located.executed.trace.root, transferContext(located)),
    signalOrNever(signal),
  );

export function transferContext({ network, executed, known }: LocatedExecution): TransferContext {
  const rules = rulesOf(network, executed.mined.block);
  return {
    wrappedNative: network.wrappedNative,
    contracts: known.contracts,
    destructionNeedsCreation: rules !== undefined && isSince(rules, 'cancun'),
    mint: mintOf(executed.mined.transaction),
  };
}

const weigh = ({ trace: { root, prestate } }: ExecutedTransaction): number =>
  executionSteps(root).length * CHARACTERS_PER_STEP + dataLength(root) + codeLength(prestate);

/** Characters of the codes in the result of `prestateTracer`, which are most of it. */
const codeLength = (prestate: unknown): number =>
  Object.values((prestate ?? {}) as Record<string, { code?: unknown }>).reduce(
    (sum, { code }) => sum + (typeof code === 'string' ? code.length : 0),
    0,
  );

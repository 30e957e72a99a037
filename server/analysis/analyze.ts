import type { BalanceChange, InvocationFlow } from '../api/explorer';
import type { Address, Hash } from '../api/primitives';
import { netChanges, pricedAssets, toBalanceChange } from './balance-changes';
import { executionSteps, type CallFrame } from './call-frame';
import { identifyRequest } from './identify-request';
import { buildInvocationFlow } from './invocation-flow';
import { findTransaction, loadMined } from './load-transaction';
import type {
  AbiSource,
  Identification,
  MinedTransaction,
  Network,
  NetworkResolver,
  PriceSource,
  TokenFacts,
  TokenFactsSource,
  TraceSource,
  TransactionTrace,
} from './ports';
import { PRECOMPILES } from './precompiles';
import { SharedCache } from './shared-cache';
import { TraceDecoder } from './trace-decoder';
import { transactionFacts } from './transaction-facts';
import { collectTransfers, tokensOf, type Transfer } from './transfers';
import { traceDifference } from './verify-trace';

export interface AnalysisDependencies {
  readonly networks: NetworkResolver;
  readonly traces: TraceSource;
  readonly abis: AbiSource;
  readonly tokens: TokenFactsSource;
  readonly prices: PriceSource;
}

export interface AnalysisRequest {
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  readonly hash: Hash;
}

export interface AnalysisOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A mined transaction with what its execution did. */
interface ExecutedTransaction {
  readonly mined: MinedTransaction;
  readonly trace: TransactionTrace;
}

/** Characters of call data and the like that are kept in memory, over all traces. */
const CACHED_CHARACTERS = 100_000_000;
const CHARACTERS_PER_STEP = 1_000;

/** The two analysis operations. Both work on one trace, which is made once per transaction and block. */
export class AnalysisService {
  private readonly executed = new SharedCache<ExecutedTransaction>(CACHED_CHARACTERS, weigh);

  constructor(private readonly sources: AnalysisDependencies) {}

  /** @throws ApiError `chainNotFound`, `transactionNotFound`, `transactionPending`, `upstream…`, `engineUnavailable`, `timedOut`, `cancelled` */
  async balanceChange(
    request: AnalysisRequest,
    { signal }: AnalysisOptions = {},
  ): Promise<BalanceChange> {
    const network = await this.sources.networks.resolve(request.chain, request.hash, signal);
    const executed = await this.execution(network, request.hash, signal);
    const { mined, trace } = executed;
    const known = await this.identify(network, executed, signal);
    const transfers = this.transfers(network, executed, known);
    const nets = netChanges(transfers);
    const block = BigInt(mined.receipt.blockNumber);
    const assets = pricedAssets(nets);
    const [tokens, prices] = await Promise.all([
      this.tokenFacts(network, tokensOf(transfers), block, signal),
      this.sources.prices.pricesAt(
        network,
        assets,
        { number: block, timestamp: Number(mined.block.timestamp) },
        signalOrNever(signal),
      ),
    ]);
    return {
      status: succeeded(executed),
      balanceChange: toBalanceChange(nets, [trace.root.from, trace.root.to], {
        tokens,
        prices,
        nativeSymbol: network.nativeSymbol,
      }),
    };
  }

  /** @throws ApiError as `balanceChange` */
  async invocationFlow(
    request: AnalysisRequest,
    { signal }: AnalysisOptions = {},
  ): Promise<InvocationFlow> {
    const network = await this.sources.networks.resolve(request.chain, request.hash, signal);
    const executed = await this.execution(network, request.hash, signal);
    const { mined, trace } = executed;
    const known = await this.identify(network, executed, signal);
    const tokens = await this.tokenFacts(
      network,
      tokensOf(this.transfers(network, executed, known)),
      BigInt(mined.receipt.blockNumber),
      signal,
    );
    const firstDifference = traceDifference(trace, mined.receipt);
    return {
      status: succeeded(executed),
      ...buildInvocationFlow(trace.root, new TraceDecoder(known)),
      transaction: transactionFacts(network, mined),
      labels: { ...labelsOf(trace.root, known, tokens), ...network.labels },
      verification: {
        method: trace.method,
        faithful: firstDifference === undefined,
        ...(firstDifference === undefined ? {} : { firstDifference }),
      },
    };
  }

  /** Keyed by the block too: after a reorganisation or a fork's revert the same transaction may stand elsewhere. */
  private async execution(
    network: Network,
    hash: Hash,
    signal: AbortSignal | undefined,
  ): Promise<ExecutedTransaction> {
    const transaction = await findTransaction(network, hash, signal);
    return this.executed.get(
      [network.key, hash, transaction.blockHash].join(),
      async (shared) => {
        const mined = await loadMined(network, transaction, shared);
        return { mined, trace: await this.sources.traces.trace(network, mined, shared) };
      },
      signal,
    );
  }

  private identify(
    network: Network,
    { mined, trace }: ExecutedTransaction,
    signal: AbortSignal | undefined,
  ): Promise<Identification> {
    const { number, hash } = mined.block;
    const request = identifyRequest(trace.root, { number: BigInt(number), hash });
    return this.sources.abis.identify(network, request, signalOrNever(signal));
  }

  private transfers(
    network: Network,
    { mined, trace }: ExecutedTransaction,
    { contracts }: Identification,
  ): Transfer[] {
    return collectTransfers(trace.root, {
      wrappedNative: network.wrappedNative,
      contracts,
      // The field came with Cancun, as did EIP-6780.
      destructionNeedsCreation: mined.block.excessBlobGas !== undefined,
    });
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

const NEVER = new AbortController().signal;
const signalOrNever = (signal: AbortSignal | undefined): AbortSignal => signal ?? NEVER;

/** Receipts before Byzantium have no status: the trace tells. */
function succeeded({ mined, trace }: ExecutedTransaction): boolean {
  const { status } = mined.receipt;
  return status === undefined ? trace.root.error === undefined : BigInt(status) === 1n;
}

/** Names of contracts, symbols of tokens, and what precompiles do, for the addresses of a trace. */
function labelsOf(
  root: CallFrame,
  { contracts }: Identification,
  tokens: ReadonlyMap<Address, TokenFacts>,
): Record<string, string> {
  const labels = new Map<Address, string>();
  for (const [address, { name }] of contracts) if (name !== undefined) labels.set(address, name);
  for (const [address, { symbol }] of tokens) if (symbol) labels.set(address, symbol);
  for (const { frame } of executionSteps(root)) {
    const name = frame.to === null ? undefined : PRECOMPILES.get(frame.to);
    if (frame.to !== null && name !== undefined) labels.set(frame.to, name);
  }
  return Object.fromEntries(labels);
}

function weigh({ trace }: ExecutedTransaction): number {
  let weight = 0;
  for (const { frame, log } of executionSteps(trace.root)) {
    weight += CHARACTERS_PER_STEP;
    weight += log ? log.data.length : frame.input.length + frame.output.length;
  }
  return weight;
}

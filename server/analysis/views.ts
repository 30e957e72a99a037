import type { Hardfork } from '../api/config';
import { ApiError } from '../api/errors';
import type { Address } from '../api/primitives';
import type { Analysis, AnalysisPart, FundFlow, GasProfile, StateDiff } from '../api/views';
import type { RpcBlockHeader } from '../ethereum/types';
import {
  transferContext,
  type AnalysisOptions,
  type AnalysisRequest,
  type AnalysisService,
} from './analyze';
import { succeeded, type LocatedExecution } from './executed-transaction';
import { toFundFlow } from './fund-flow';
import { gasFee } from './gas-fee';
import { isCreation } from './call-frame';
import { spentByReceipt, type GasFacts, type SpentGas } from './gas-parts';
import { gasProfile } from './gas-profile';
import { gasFacts } from './gas-facts';
import { hardforkOfHeader } from '../rules/intrinsic-gas';
import { labelsOf } from './labels';
import type {
  Network,
  PriceSource,
  SpentGasSource,
  TokenFacts,
  TokenFactsSource,
  TransactionTrace,
} from './ports';
import { SharedCache } from '../async/shared-cache';
import {
  readStateDiff,
  toStateDiff,
  type AccountDiff,
  type RawStateDiff,
  type StateDiffSource,
} from './state-diff';
import { keyCandidates, nameSlots } from './storage-layout';
import { storageLayouts, type LayoutSource } from './storage-layouts';
import { TraceDecoder } from './trace-decoder';
import { placedTransfers, tokensOf, type PlacedTransfer } from './transfers';
import { traceVerification } from './verify-trace';

export interface ViewDependencies {
  readonly tokens: TokenFactsSource;
  readonly prices: PriceSource;
  readonly stateDiffs: StateDiffSource;
  readonly spentGas: SpentGasSource;
  readonly layouts: LayoutSource;
  /** Hardfork of a block; undefined if only the header can prove it, null if the chain has rules of its own. */
  readonly rulesOf: (network: Network, block: RpcBlockHeader) => Hardfork | null | undefined;
}

/** Changes of accounts, and whether a node or an engine reported them. */
interface FoundDiff {
  readonly accounts: readonly AccountDiff[];
  readonly method: RawStateDiff['method'];
}

/** Bound of the cache of state differences, in characters over all transactions. */
const KEPT_CHARACTERS = 20_000_000;

/** Further views of a transaction, from the same trace as the two analysis operations. */
export class TransactionViews {
  private readonly spentGas = new WeakMap<TransactionTrace, SpentGas>();
  private readonly diffs = new SharedCache<FoundDiff>(KEPT_CHARACTERS, weigh);

  constructor(
    private readonly analysis: AnalysisService,
    private readonly sources: ViewDependencies,
  ) {}

  /** @throws ApiError as `AnalysisService.balanceChange` */
  async fundFlow(
    request: AnalysisRequest,
    { signal, onProgress }: AnalysisOptions = {},
  ): Promise<FundFlow> {
    const located = await this.analysis.locate(request, signal, onProgress);
    const { transfers, tokens } = await this.transfersOf(located, signal);
    return {
      status: succeeded(located.executed),
      verification: traceVerification(located.executed),
      fundFlow: await this.fundFlowOf(located, transfers, tokens, signal),
      ...labelsOf(located, tokens),
    };
  }

  /** @throws ApiError as `AnalysisService.balanceChange` */
  async gasProfile(
    request: AnalysisRequest,
    { signal, onProgress }: AnalysisOptions = {},
  ): Promise<GasProfile> {
    const located = await this.analysis.locate(request, signal, onProgress);
    const { tokens } = await this.transfersOf(located, signal);
    return {
      status: succeeded(located.executed),
      verification: traceVerification(located.executed),
      gasProfile: await this.gasProfileOf(located, { signal, onProgress }),
      ...labelsOf(located, tokens),
    };
  }

  /** @throws ApiError as `AnalysisService.balanceChange` */
  async stateDiff(
    request: AnalysisRequest,
    { signal, onProgress }: AnalysisOptions = {},
  ): Promise<StateDiff> {
    const located = await this.analysis.locate(request, signal, onProgress);
    const [found, { tokens }] = await Promise.all([
      this.diffOf(located, { signal, onProgress }),
      this.transfersOf(located, signal),
    ]);
    return {
      status: succeeded(located.executed),
      verification: traceVerification(located.executed),
      stateDiff: await this.stateDiffOf(located, found, signal),
      ...labelsOf(located, tokens),
    };
  }

  /**
   * All views in one. A view that fails is listed in `failures`, except the call tree. @throws ApiError as `AnalysisService.balanceChange`
   */
  async all(
    request: AnalysisRequest,
    { signal, onProgress }: AnalysisOptions = {},
  ): Promise<Analysis> {
    const located = await this.analysis.locate(request, signal, onProgress);
    return this.compose(located, () => this.diffOf(located, { signal, onProgress }), {
      signal,
      onProgress,
    });
  }

  /** All views of a transaction that is in no block. @param rawDiff returns the state difference */
  async ofExecution(
    execution: Pick<LocatedExecution, 'network' | 'executed'>,
    rawDiff: () => Promise<RawStateDiff>,
    signal: AbortSignal,
  ): Promise<Analysis> {
    const located = await this.analysis.identified(execution, signal);
    return this.compose(located, async () => toFound(await rawDiff()), { signal });
  }

  private async compose(
    located: LocatedExecution,
    diff: () => Promise<FoundDiff>,
    options: AnalysisOptions,
  ): Promise<Analysis> {
    const { signal } = options;
    const failures: Analysis['failures'] = [];
    const part = async <T>(name: AnalysisPart, make: () => T | Promise<T>): Promise<T | null> => {
      try {
        return await make();
      } catch (error) {
        if (!(error instanceof ApiError) || error.kind === 'cancelled' || signal?.aborted) {
          throw error;
        }
        failures.push({ part: name, code: error.code, message: error.message });
        return null;
      }
    };
    const [flow, balances, fundFlow, profile, stateDiff] = await Promise.all([
      this.analysis.flowOf(located, signal),
      part('balanceChange', () => this.analysis.balancesOf(located, signal)),
      part('fundFlow', async () => {
        const { transfers, tokens } = await this.transfersOf(located, signal);
        return this.fundFlowOf(located, transfers, tokens, signal);
      }),
      part('gasProfile', () => this.gasProfileOf(located, options)),
      part('stateDiff', async () => this.stateDiffOf(located, await diff(), signal)),
    ]);
    return {
      ...flow,
      verification: balances?.verification ?? flow.verification,
      balanceChange: balances?.balanceChange ?? null,
      fundFlow,
      gasProfile: profile,
      stateDiff,
      failures,
    };
  }

  private async stateDiffOf(
    { network, executed: { mined, trace }, known }: LocatedExecution,
    { accounts: changed, method }: FoundDiff,
    signal: AbortSignal | undefined,
  ): Promise<StateDiff['stateDiff']> {
    const { fee, accounts } = toStateDiff(changed, gasFee(mined));
    const written = accounts.flatMap(({ address, storage }) =>
      storage.length === 0 ? [] : [address as Address],
    );
    const layouts = await storageLayouts(
      this.sources.layouts,
      { network, known },
      written,
      signalOrNever(signal),
    );
    const keys = layouts.size === 0 ? [] : keyCandidates(trace.root);
    const named = accounts.map((account) => {
      let { storage } = account;
      for (const layout of layouts.get(account.address as Address) ?? []) {
        storage = nameSlots(storage, layout, keys);
      }
      return { ...account, storage };
    });
    return { method, fee, accounts: named };
  }

  /**
   * Uses the changes of the trace if it contains them and the whole prefix was executed; otherwise the fee recipient would lack the fees
   * of skipped transactions. Else requests them once. An unreadable result is not cached.
   */
  private async diffOf(
    { network, executed: { mined, trace } }: LocatedExecution,
    options: AnalysisOptions,
  ): Promise<FoundDiff> {
    const isWhole = trace.applied === Number(mined.transaction.transactionIndex);
    if (isWhole && trace.changes !== undefined) {
      return toFound({ answer: trace.changes, method: 'replay' });
    }
    return this.diffs.get(
      [network.key, mined.transaction.hash, mined.block.hash].join(),
      async (...shared) =>
        toFound(await this.sources.stateDiffs.diff(network, mined, trace.root, ...shared)),
      options,
    );
  }

  private async transfersOf(
    located: LocatedExecution,
    signal: AbortSignal | undefined,
  ): Promise<{ transfers: PlacedTransfer[]; tokens: ReadonlyMap<Address, TokenFacts> }> {
    const { network, executed } = located;
    const transfers = [...placedTransfers(executed.trace.root, transferContext(located))];
    const tokens = await this.sources.tokens.factsOf(
      network,
      tokensOf(transfers.map(({ transfer }) => transfer)),
      BigInt(executed.mined.receipt.blockNumber),
      signalOrNever(signal),
    );
    return { transfers, tokens };
  }

  private async fundFlowOf(
    { network, executed: { mined } }: LocatedExecution,
    transfers: readonly PlacedTransfer[],
    tokens: ReadonlyMap<Address, TokenFacts>,
    signal: AbortSignal | undefined,
  ): Promise<FundFlow['fundFlow']> {
    const priced = new Set(
      transfers.flatMap(({ transfer: { asset, tokenId } }) => (tokenId === undefined ? asset : [])),
    );
    const prices = await this.sources.prices.pricesAt(
      network,
      [...priced],
      { number: BigInt(mined.receipt.blockNumber), timestamp: Number(mined.block.timestamp) },
      signalOrNever(signal),
    );
    return toFundFlow(transfers, { tokens, prices, nativeSymbol: network.nativeSymbol });
  }

  private async gasProfileOf(
    located: LocatedExecution,
    options: AnalysisOptions,
  ): Promise<GasProfile['gasProfile']> {
    const { network, executed, known } = located;
    const { mined, trace } = executed;
    const told = this.sources.rulesOf(network, mined.block);
    const facts = gasFacts(located, told === undefined ? hardforkOfHeader(mined.block) : told);
    const spent =
      trace.spentGas ?? spentByReceipt(facts) ?? (await this.spent(located, facts, options));
    return gasProfile(trace.root, facts, spent, new TraceDecoder(known));
  }

  /** Cached with the trace. An unknown result is requested again next time. */
  private async spent(
    { network, executed: { mined, trace } }: LocatedExecution,
    { gasUsed, intrinsic }: GasFacts,
    { signal, onProgress }: AnalysisOptions,
  ): Promise<SpentGas | undefined> {
    const known = this.spentGas.get(trace);
    if (known) return known;
    const { root } = trace;
    const request = {
      created: isCreation(root) && root.error === undefined ? root.output : '0x',
      needsCounter: gasUsed === intrinsic?.floor,
    } as const;
    const told = await this.sources.spentGas.spentGas(
      network,
      mined,
      request,
      signalOrNever(signal),
      onProgress,
    );
    if (told) this.spentGas.set(trace, told);
    return told;
  }
}

/** @throws ApiError `upstreamLacksData` if it cannot be read */
const toFound = ({ answer, method }: RawStateDiff): FoundDiff => ({
  accounts: readStateDiff(answer),
  method,
});

const CHARACTERS_PER_ACCOUNT = 500;
const CHARACTERS_PER_SLOT = 200;

function weigh({ accounts }: FoundDiff): number {
  let weight = CHARACTERS_PER_ACCOUNT;
  for (const { before, after } of accounts) {
    weight += CHARACTERS_PER_ACCOUNT;
    for (const side of [before, after]) {
      weight += (side?.code?.length ?? 0) + (side?.storage.size ?? 0) * CHARACTERS_PER_SLOT;
    }
  }
  return weight;
}

const NEVER = new AbortController().signal;
const signalOrNever = (signal: AbortSignal | undefined): AbortSignal => signal ?? NEVER;

import { neverAborted } from '../../kernel/async/never-aborted';
import { ApiError } from '../../api/errors';
import type { BalanceChange, InvocationFlow } from '../../api/explorer';
import type { OnProgress } from '../../api/progress';
import type { RecordingNames } from '../../api/recording-names';
import type { Analysis, AnalysisPart, FundFlow, GasProfile, StateDiff } from '../../api/views';
import { inSlices, pause } from '../../kernel/async/slices';
import { executionSteps, type CallFrame } from '../call-frame';
import { TraceDecoder } from '../decoding/trace-decoder';
import { succeeded, type LocatedExecution } from '../executed-transaction';
import { ContractTraits } from '../names/traits';
import type {
  KnownContractSource,
  PriceSource,
  RawStateDiff,
  SpentGasSource,
  StateDiffSource,
  StateSource,
  StorageWriteSource,
  TokenFactsSource,
} from '../ports';
import type { LayoutSource } from '../state/storage-layouts';
import { feeInToken, tokenFeeFacts } from '../traces/token-fee';
import { traceVerification } from '../traces/verify';
import { transactionFacts } from '../transactions/facts';
import { isWrapper } from '../transfers/wrap-events';
import { UnitReader } from '../units/unit-reader';
import { BalanceChanges } from './balance-changes';
import type { AnalysisOptions, AnalysisRequest, ExecutionLocator } from './execution-locator';
import { fundFlowWork } from './fund-flow';
import { GasProfiles, type RulesOf } from './gas-profiles';
import { invocationFlowWork } from './invocation-flow';
import { labelsOf } from './labels';
import { StateDiffs } from './state-diffs';
import { Summaries } from './summaries';
import { tokenRecord } from './token-record';
import { transferContextOf, ViewedExecution, type ContractSources } from './viewed-execution';

export interface ViewSources {
  readonly tokens: TokenFactsSource;
  /** Names of well-known contracts. If omitted, they have none. */
  readonly knownContracts?: KnownContractSource;
  /** Without it, flash loans of unlisted tokens are claims. */
  readonly storageWrites?: StorageWriteSource;
  readonly prices: PriceSource;
  /** Verifies balance changes against the state. If omitted, they stay unchecked. */
  readonly states?: StateSource;
  readonly stateDiffs: StateDiffSource;
  readonly spentGas: SpentGasSource;
  /** Layouts of contracts that no artifact matches. If omitted, their variables have no names. */
  readonly layouts?: LayoutSource;
  readonly rulesOf: RulesOf;
}

/** The views of a transaction. All use the same trace. */
export class AnalysisService {
  readonly #balances: BalanceChanges;
  readonly #gasProfiles: GasProfiles;
  readonly #stateDiffs: StateDiffs;
  readonly #summaries: Summaries;
  readonly #contracts: ContractSources;

  constructor(
    private readonly executions: ExecutionLocator,
    private readonly sources: ViewSources,
  ) {
    this.#balances = new BalanceChanges(sources.prices, sources.states);
    this.#gasProfiles = new GasProfiles(sources.spentGas, sources.rulesOf);
    this.#stateDiffs = new StateDiffs(sources.stateDiffs, sources.layouts);
    const { tokens, knownContracts, states } = sources;
    this.#contracts = { tokens, knownContracts, traits: new ContractTraits() };
    const loans = { known: knownContracts, storageWrites: sources.storageWrites };
    this.#summaries = new Summaries(states, this.#balances, loans, sources.layouts);
  }

  /** @throws ApiError as `ExecutionLocator.locate` */
  async balanceChange(
    request: AnalysisRequest,
    options: AnalysisOptions = {},
  ): Promise<BalanceChange> {
    return this.#balances.of(await this.#viewed(request, options));
  }

  /** @throws ApiError as `ExecutionLocator.locate` */
  async invocationFlow(
    request: AnalysisRequest,
    options: AnalysisOptions = {},
  ): Promise<InvocationFlow> {
    return this.#flowOf(await this.#viewed(request, options), options.onProgress);
  }

  /** @throws ApiError as `ExecutionLocator.locate` */
  async fundFlow(request: AnalysisRequest, options: AnalysisOptions = {}): Promise<FundFlow> {
    const execution = await this.#viewed(request, options);
    return withFacts(execution, { fundFlow: await this.#fundFlowOf(execution) });
  }

  /** @throws ApiError as `ExecutionLocator.locate` */
  async gasProfile(request: AnalysisRequest, options: AnalysisOptions = {}): Promise<GasProfile> {
    const execution = await this.#viewed(request, options);
    const gasProfile = await this.#gasProfiles.of(execution, options.onProgress);
    return withFacts(execution, { gasProfile });
  }

  /** @throws ApiError as `ExecutionLocator.locate` */
  async stateDiff(request: AnalysisRequest, options: AnalysisOptions = {}): Promise<StateDiff> {
    const execution = await this.#viewed(request, options);
    const [stateDiff] = await Promise.all([
      this.#stateDiffs.of(execution, options.onProgress),
      execution.names(),
    ]);
    return withFacts(execution, { stateDiff });
  }

  /**
   * All views in one. A view that fails is listed in `failures`, except the call tree. @throws ApiError as `ExecutionLocator.locate`
   */
  async all(request: AnalysisRequest, options: AnalysisOptions = {}): Promise<Analysis> {
    const { onProgress } = options;
    const execution = await this.#viewed(request, options);
    return this.#compose(execution, this.#stateDiffs.of(execution, onProgress), onProgress);
  }

  /** Names of the addresses of an execution, with the labels that its user has now. */
  async namesOf(located: LocatedExecution, signal: AbortSignal): Promise<RecordingNames> {
    const userLabels = await this.executions.userLabelsOn(located.network);
    const viewed = new ViewedExecution({ ...located, userLabels }, this.#contracts, signal);
    const found = labelsOf(viewed.located, await viewed.tokens(), await viewed.names());
    return { labels: found.labels, userLabels: found.userLabels ?? [] };
  }

  /** All views of a transaction that is in no block. @param rawDiff returns the state difference */
  async ofExecution(
    execution: Pick<LocatedExecution, 'network' | 'executed'>,
    rawDiff: () => Promise<RawStateDiff>,
    signal: AbortSignal,
  ): Promise<Analysis> {
    const located = await this.executions.identified(execution, signal);
    const viewed = new ViewedExecution(located, this.#contracts, signal);
    const stateDiff = async (): Promise<StateDiff['stateDiff']> =>
      this.#stateDiffs.ofAnswer(viewed, await rawDiff());
    return this.#compose(viewed, stateDiff(), undefined);
  }

  async #viewed(request: AnalysisRequest, options: AnalysisOptions): Promise<ViewedExecution> {
    const located = await this.executions.locate(request, options);
    const { signal = neverAborted() } = options;
    return new ViewedExecution(located, this.#contracts, signal);
  }

  async #compose(
    execution: ViewedExecution,
    diff: Promise<StateDiff['stateDiff']>,
    onProgress: OnProgress | undefined,
  ): Promise<Analysis> {
    const failures: Analysis['failures'] = [];
    const part = async <T>(name: AnalysisPart, view: Promise<T>): Promise<T | null> => {
      try {
        return await view;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.kind === 'cancelled' || execution.signal.aborted) throw error;
        failures.push({ part: name, code: error.code, message: error.message });
        return null;
      }
    };
    const [flow, balances, fundFlow, gasProfile, stateDiff] = await Promise.all([
      this.#flowOf(execution),
      part('balanceChange', this.#balances.of(execution)),
      part('fundFlow', this.#fundFlowOf(execution)),
      part('gasProfile', this.#gasProfiles.of(execution, onProgress)),
      part('stateDiff', diff),
    ]);
    return {
      ...flow,
      verification: balances?.verification ?? flow.verification,
      balanceChange: balances?.balanceChange ?? null,
      fundFlow,
      gasProfile,
      stateDiff,
      failures,
    };
  }

  async #flowOf(execution: ViewedExecution, onProgress?: OnProgress): Promise<InvocationFlow> {
    const { network, executed, known } = execution.located;
    const { mined, trace } = executed;
    const decoder = new TraceDecoder(known);
    const units = await this.#unitsOf(execution);
    const flow = await inSlices(
      invocationFlowWork(trace.root, decoder, units),
      execution.signal,
      onProgress && decodingProgress(trace.root, onProgress),
    );
    const fee = feeInToken(mined, trace);
    const asked = fee ? new Set(units.tokens).add(fee.token) : units.tokens;
    const tokens = await execution.tokensWith(asked);
    await inSlices(units.writeWork(tokens, network.nativeSymbol), execution.signal);
    const labels = labelsOf(execution.located, tokens, await execution.names());
    await pause();
    const summary = await this.#summaries.of(execution, decoder);
    return {
      status: succeeded(executed),
      summary,
      ...flow,
      transaction: { ...transactionFacts(network, mined), ...tokenFeeFacts(fee, tokens) },
      ...labels,
      ...tokenRecord(tokens),
      verification: traceVerification(executed),
    };
  }

  /** Reads the units of numbers by what is known of the execution's contracts. */
  async #unitsOf(execution: ViewedExecution): Promise<UnitReader> {
    const [traits, collectibles] = await Promise.all([
      execution.traits(),
      execution.collectibles(),
    ]);
    const context = transferContextOf(execution.located);
    return new UnitReader({
      traits,
      collectibles,
      isWrapper: (token) => isWrapper(token, context),
    });
  }

  async #fundFlowOf(execution: ViewedExecution): Promise<FundFlow['fundFlow']> {
    const { located, block, signal } = execution;
    const transfers = await execution.transfers();
    const priced = new Set(
      transfers.flatMap(({ transfer: { asset, tokenId } }) => (tokenId === undefined ? asset : [])),
    );
    const tokens = await execution.tokens();
    const { network } = located;
    const prices = await this.sources.prices.pricesAt(network, [...priced], block, signal);
    const { checked } = await this.#balances.shown(execution);
    const facts = { tokens, prices, nativeSymbol: network.nativeSymbol, checked };
    return inSlices(fundFlowWork(transfers, facts), signal);
  }
}

/** Adds what every view of its own contains. */
async function withFacts<T>(
  execution: ViewedExecution,
  view: T,
): Promise<
  Pick<FundFlow, 'status' | 'verification'> &
    T &
    Pick<InvocationFlow, 'labels' | 'userLabels' | 'nameSources'>
> {
  const { located } = execution;
  return {
    status: succeeded(located.executed),
    verification: traceVerification(located.executed),
    ...view,
    ...labelsOf(located, await execution.tokens(), await execution.names()),
  };
}

/** Reports at the pauses of the work, so that short work reports nothing. */
function decodingProgress(root: CallFrame, onProgress: OnProgress): (done: number) => void {
  const total = executionSteps(root).length;
  return (done) => {
    onProgress({ stage: 'decoding calls', done, total });
  };
}

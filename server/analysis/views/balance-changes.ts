import type { BalanceChange } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import { timeoutSignal } from '../../api/timeout-signal';
import { inSlices } from '../../kernel/async/slices';
import type { StateQuestion } from '../balances/measure';
import type { ExecutionState } from '../execution-state';
import type { AssetFacts } from '../balances/asset-amount';
import { balanceChangeWork } from '../balances/changes';
import { pricedAssets, type NetChange } from '../balances/net-changes';
import {
  balanceVerification,
  BalanceVerifier,
  UNCHECKED,
  withoutGuesses,
  type BalanceProof,
} from '../balances/verify';
import { succeeded } from '../executed-transaction';
import type { Price, PriceSource, StateSource } from '../ports';
import { traceVerification } from '../traces/verify';
import type { ViewedExecution } from './viewed-execution';

/** The balance changes of executions, priced, and verified against the state. */
export class BalanceChanges {
  readonly #verifier: BalanceVerifier | undefined;

  /** @param states if undefined, balance changes stay unchecked */
  constructor(
    private readonly quotes: PriceSource,
    states: StateSource | undefined,
  ) {
    this.#verifier = states && new BalanceVerifier(states);
  }

  /** Net changes compared with the state. Equality proves nothing where the trace is a guess. */
  async measured(execution: ViewedExecution): Promise<BalanceProof> {
    if (!this.#verifier) return UNCHECKED;
    const { signal, located } = execution;
    const { network, executed, known } = located;
    const { mined, trace } = executed;
    const [transfers, nets] = await Promise.all([execution.transfers(), execution.nets()]);
    return this.#verifier.prove(
      {
        network,
        mined,
        trace,
        transfers: transfers.map(({ transfer }) => transfer),
        nets,
        contracts: known.contracts,
      },
      signal,
    );
  }

  /** First words of answers in the state after the transaction; undefined where one is not known. */
  async ask(
    { located, signal }: ViewedExecution,
    questions: readonly StateQuestion[],
  ): Promise<(bigint | undefined)[]> {
    const { network, executed } = located;
    const answers = this.#verifier?.ask({ network, ...executed }, questions, signal);
    return (await answers) ?? questions.map(() => undefined);
  }

  /** State before and after the transaction; undefined if it is not known. */
  async state({ located, signal }: ViewedExecution): Promise<ExecutionState | undefined> {
    const { network, executed } = located;
    return this.#verifier?.state({ network, ...executed }, signal);
  }

  /** The same, without what rests on a guess. */
  async shown(execution: ViewedExecution): Promise<BalanceProof> {
    const { executed } = execution.located;
    const measured = await this.measured(execution);
    const { level } = traceVerification(executed);
    const isProved = executed.isSimulated ?? level === 'state-proved';
    return isProved ? measured : withoutGuesses(measured);
  }

  /** Prices at the block of the assets that changed; none where they are not known after `timeoutMs`. */
  async prices(
    { located: { network }, block, signal }: ViewedExecution,
    nets: readonly NetChange[],
    timeoutMs: number,
  ): Promise<ReadonlyMap<Address, Price>> {
    const limited = AbortSignal.any([signal, timeoutSignal(timeoutMs)]);
    try {
      return await this.quotes.pricesAt(network, pricedAssets(nets), block, limited);
    } catch (error) {
      if (signal.aborted) throw error;
      return new Map();
    }
  }

  async of(execution: ViewedExecution): Promise<BalanceChange> {
    const { signal, block } = execution;
    const { network, executed } = execution.located;
    const { trace } = executed;
    const nets = await execution.nets();
    const [proof, tokens, prices] = await Promise.all([
      this.shown(execution),
      execution.tokens(),
      this.quotes.pricesAt(network, pricedAssets(nets), block, signal),
    ]);
    const facts: AssetFacts = {
      tokens,
      prices,
      nativeSymbol: network.nativeSymbol,
      checked: proof.checked,
    };
    const balanceChange = await inSlices(
      balanceChangeWork(nets, [trace.root.from, trace.root.to], facts),
      signal,
    );
    return {
      status: succeeded(executed),
      balanceChange,
      verification: balanceVerification(traceVerification(executed), proof),
    };
  }
}

import type { BalanceChange } from '../../api/explorer';
import { inSlices } from '../../async/slices';
import { balanceChangeWork } from '../balances/changes';
import { netChangesWork, pricedAssets } from '../balances/net-changes';
import {
  balanceVerification,
  BalanceVerifier,
  UNCHECKED,
  withoutGuesses,
} from '../balances/verify';
import { succeeded } from '../executed-transaction';
import type { PriceSource, StateSource } from '../ports';
import { traceVerification } from '../traces/verify';
import type { ViewedExecution } from './viewed-execution';

/** The balance changes of executions, priced, and verified against the state. */
export class BalanceChanges {
  private readonly verifier: BalanceVerifier | undefined;

  /** @param states if undefined, balance changes stay unchecked */
  constructor(
    private readonly prices: PriceSource,
    states: StateSource | undefined,
  ) {
    this.verifier = states && new BalanceVerifier(states);
  }

  async of(execution: ViewedExecution): Promise<BalanceChange> {
    const { signal, block } = execution;
    const { network, executed, known } = execution.located;
    const { mined, trace } = executed;
    const transfers = (await execution.transfers()).map(({ transfer }) => transfer);
    const nets = await inSlices(netChangesWork(transfers), signal);
    const [measured, tokens, prices] = await Promise.all([
      this.verifier?.prove(
        { network, mined, trace, transfers, nets, contracts: known.contracts },
        signal,
      ) ?? UNCHECKED,
      execution.tokens(),
      this.prices.pricesAt(network, pricedAssets(nets), block, signal),
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
      signal,
    );
    return {
      status: succeeded(executed),
      balanceChange,
      verification: balanceVerification(verification, proof),
    };
  }
}

import type { RpcReceipt } from '../../evm/forms/types';
import { executionSteps } from '../call-frame';
import type { LocatedExecution } from '../executed-transaction';
import type { GasFacts } from './parts';
import type { ExecutedHardfork } from '../../evm/forms/hardfork-order';
import { intrinsicGas } from '../../evm/rules/intrinsic-gas';

/** Collects the facts that determine the gas parts of a transaction. @param rules null if the chain's own rules are unknown */
export function gasFacts(
  { executed: { mined, trace }, known }: LocatedExecution,
  rules: ExecutedHardfork | null | undefined,
): GasFacts {
  const { transaction, receipt } = mined;
  const { root, state } = trace;
  // Arbitrum's gas includes a part for the parent chain.
  const isForeign = (receipt as RpcReceipt & { gasUsedForL1?: unknown }).gasUsedForL1 !== undefined;
  const intrinsic = rules && !isForeign ? intrinsicGas(transaction, rules) : undefined;
  const hasCode = transaction.to === null || known.contracts.get(root.to ?? '0x')?.code !== '0x';
  const usesStorage =
    !state || Object.values(state.before).some(({ stateDiff }) => stateDiff !== undefined);
  return {
    gasLimit: Number(transaction.gas),
    gasUsed: root.gasUsed,
    intrinsic,
    authorizations: intrinsic?.hasStateGas ? 0 : (transaction.authorizationList?.length ?? 0),
    outcome: outcomeOf(root.error),
    mayEarnRefunds:
      (usesStorage && (hasCode || root.items.length > 0)) ||
      (intrinsic?.refundDivisor === 2 &&
        executionSteps(root).some(({ frame }) => frame.type === 'SELFDESTRUCT')),
  };
}

/** Every client's message for REVERT contains the word. Any other failure consumes all gas. */
const outcomeOf = (error: string | undefined): GasFacts['outcome'] =>
  error === undefined ? 'success' : /revert/i.test(error) ? 'reverted' : 'halted';

import type { SpentGas } from '../../analysis/ports';
import type { SimulationCall } from '../../analysis/simulation/simulation';
import type { Hardfork } from '../../api/config';
import type { Address, Hex } from '../../api/primitives';
import { processAuthorizations, type AuthorityState } from '../../evm/forms/authorizations';
import { intrinsicGas } from '../../evm/rules/intrinsic-gas';
import { REFUND } from '../prefix/authorization-gas';

export interface SimulatedGas {
  readonly chainId: number;
  readonly hardfork: Hardfork;
  readonly call: SimulationCall;
  /** Gas that the node or engine reports. */
  readonly gasUsed: number;
  readonly failed: boolean;
  /** Gas of the top call; undefined if unknown. */
  readonly spent: SpentGas | undefined;
  /** Result of `prestateTracer`. */
  readonly touched: unknown;
}

type Touched = Readonly<
  Record<Address, { balance?: Hex; nonce?: Hex | number; code?: Hex } | undefined>
>;

/**
 * Gas of a simulated transaction that an engine does not charge: anvil 1.5.1 treats every authority as existing, and so refunds a part for
 * each one that was never used (EIP-7702, step 7).
 * @returns 0 if the reported gas is not what such an engine counts
 */
export function unchargedBySimulation(simulated: SimulatedGas): number {
  const { chainId, hardfork, call, gasUsed, failed, spent, touched } = simulated;
  const transaction = {
    from: call.from,
    to: call.to ?? null,
    value: call.value,
    input: call.data,
    type: '0x4' as const,
    ...(call.accessList && { accessList: call.accessList }),
    ...(call.authorizationList && { authorizationList: call.authorizationList }),
  };
  const rules = intrinsicGas(transaction, hardfork);
  if (!rules || !spent) return 0;
  // Engines list a counter only where it is not zero.
  const counter = failed ? 0 : (spent.counter ?? 0);
  const effective = processAuthorizations(transaction, BigInt(chainId), (authority) =>
    stateIn(touched as Touched, authority),
  ).filter(({ takesEffect }) => takesEffect);
  const existing = effective.filter(({ isNew }) => !isNew).length;
  const gross = rules.intrinsic + spent.spent;
  const gasWith = (refunded: number): number => {
    const refund = counter + refunded * Number(REFUND);
    const limited = Math.min(refund, Math.floor(gross / rules.refundDivisor));
    return Math.max(gross - limited, rules.floor ?? 0);
  };
  return gasWith(effective.length) === gasUsed ? gasWith(existing) - gasUsed : 0;
}

function stateIn(touched: Touched | undefined, authority: Address): AuthorityState {
  const { balance = '0x0', nonce = 0, code = '0x' } = touched?.[authority] ?? {};
  return { balance: BigInt(balance), nonce: BigInt(nonce), code };
}

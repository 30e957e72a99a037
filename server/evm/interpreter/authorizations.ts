import { delegateOf } from './delegation';
import type { GasMeter } from './frame';
import type { StateGas } from './gas-rules';
import type { Machine } from './machine';

/** EIP-7702: PER_EMPTY_ACCOUNT_COST - PER_AUTH_BASE_COST, for an authority that is in the state. */
const AUTHORITY_REFUND = 12_500;

/**
 * Executes the authorizations of a transaction (EIP-7702).
 * @param meter pays for accounts and delegations that are new (EIP-2780)
 * @throws Halt out of gas
 */
export function delegate(machine: Machine, meter: GasMeter): void {
  const { world, rules, environment } = machine;
  const authorities = rules.state && new Authorities(machine, meter, rules.state);
  for (const { authority, code } of environment.transaction.delegations) {
    if (code === undefined) {
      world.warmAccount(authority);
      continue;
    }
    if (authorities) authorities.pay(authority, code);
    else if (!world.isEmpty(authority)) world.addRefund(AUTHORITY_REFUND);
    world.warmAccount(authority);
    world.update(authority, { code, nonce: world.account(authority).nonce + 1 });
  }
  // A failure of the first frame leaves the authorizations, and what was paid for them.
  meter.stateSpill = 0;
}

/** What authorities pay for, each once in a transaction. */
class Authorities {
  /** Those whose account is written anyway. */
  readonly #written: Set<string>;
  /** Those that delegated before the transaction, or have paid for a delegation. */
  readonly #delegating = new Set<string>();
  readonly #seen = new Set<string>();

  constructor(
    private readonly machine: Machine,
    private readonly meter: GasMeter,
    private readonly gas: StateGas,
  ) {
    const { from, to, value } = machine.environment.transaction;
    this.#written = new Set([from]);
    if (to !== null && value > 0n) this.#written.add(to);
  }

  /** @param code that the authorization sets; empty: it ends a delegation @throws Halt out of gas */
  pay(authority: string, code: Uint8Array): void {
    const { machine, meter, gas } = this;
    const { world } = machine;
    if (!this.#written.has(authority)) machine.charge(meter, gas.accountWrite);
    this.#written.add(authority);
    const delegates = delegateOf(world.account(authority).code) !== undefined;
    if (delegates && !this.#seen.has(authority)) this.#delegating.add(authority);
    this.#seen.add(authority);
    if (world.isEmpty(authority)) machine.chargeState(meter, gas.account);
    if (code.length === 0 || delegates || this.#delegating.has(authority)) return;
    machine.chargeState(meter, gas.delegation);
    this.#delegating.add(authority);
  }
}

import type { Address } from '../../api/primitives';
import { toQuantity } from '../../evm/forms/quantity';
import { isStateDiff, type DiffAccount, type StateDiff } from '../../evm/forms/prestate-diff';
import type { ChargedTransaction } from '../writes/op-stack-fees';
import type { RunningFork } from './running-fork';

type Accounts = Record<Address, DiffAccount>;
type Changes = ReadonlyMap<Address, bigint>;

/**
 * Adds the fees of the OP Stack to a trace of a transaction that was made on the fork: the engine executes it again without them.
 * @param options of `debug_traceTransaction`
 * @param trace the engine's answer
 */
export function withOpStackFees(
  fork: Pick<RunningFork, 'writer'>,
  hash: unknown,
  options: unknown,
  trace: unknown,
): unknown {
  const { tracer } = (options ?? {}) as { tracer?: unknown };
  const charged = typeof hash === 'string' ? fork.writer.fees?.of(hash) : undefined;
  if (tracer !== 'prestateTracer' || !charged || typeof trace !== 'object' || !trace) return trace;
  return isStateDiff(trace) ? chargedDiff(trace, charged) : chargedState(trace, charged);
}

/** Accounts as before the transaction, which pays into the vaults as well. */
function chargedState(found: object, { earlier, changes, vaults }: ChargedTransaction): Accounts {
  return moved(withVaults(found as Accounts, changes, vaults), earlier);
}

function chargedDiff(
  { pre, post }: StateDiff,
  { earlier, changes, vaults }: ChargedTransaction,
): StateDiff {
  const before = moved(withVaults(pre, changes, vaults), earlier);
  const after = moved(post, earlier);
  for (const [account, change] of changes) {
    const { balance = '0x0' } = before[account] ?? {};
    const left = BigInt(after[account]?.balance ?? balance) + change;
    after[account] = { ...after[account], balance: toQuantity(left) };
  }
  return { pre: before, post: after };
}

/** With the accounts that the transaction pays and does not touch in another way. */
function withVaults(accounts: Accounts, changes: Changes, balances: Changes): Accounts {
  const all = { ...accounts };
  for (const account of changes.keys()) {
    all[account] ??= { balance: toQuantity(balances.get(account) ?? 0n) };
  }
  return all;
}

/** Moves the balances that are listed. */
function moved(accounts: Accounts, changes: Changes): Accounts {
  const all = { ...accounts };
  for (const [account, change] of changes) {
    const { balance } = all[account] ?? {};
    if (balance !== undefined) {
      all[account] = { ...all[account], balance: toQuantity(BigInt(balance) + change) };
    }
  }
  return all;
}

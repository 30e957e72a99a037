import type { Address, Hash } from '../../api/primitives';
import { isDelegation, removesDelegation } from './authorizations';
import type { RpcTransaction } from './types';
import type { DiffAccount, StateDiff } from './prestate-diff';

/** Facts about an execution that its `prestateTracer` diff lacks. */
export interface DiffFacts {
  readonly transaction: Pick<RpcTransaction, 'authorizationList' | 'chainId' | 'from'>;
  /** Accounts that executed SELFDESTRUCT in a frame that was not reverted. */
  readonly selfDestructed: ReadonlySet<Address>;
  /** Accounts that were created in a frame that was not reverted. */
  readonly created: ReadonlySet<Address>;
  /** Result of `prestateTracer` without `diffMode`: accounts and slots before the transaction. */
  readonly touched?: Readonly<Record<Address, DiffAccount>> | undefined;
}

/** Facts for a transaction whose call tree is unknown. */
export const NO_LIFECYCLE_EVENTS: Pick<DiffFacts, 'selfDestructed' | 'created'> = {
  selfDestructed: new Set(),
  created: new Set(),
};

/**
 * Adds to a `prestateTracer` diff what the tracers of revm, and in part go-ethereum's, omit. In the result
 * - an account that is only in `pre` was destroyed with all its storage; `pre` contains every slot that the transaction touched,
 * - `code` is `0x` in `post` if a delegation was removed (EIP-7702),
 * - `pre` contains what an account held before it was created.
 *
 * Keys are in lower case. The given diff is not changed.
 */
export function completeDiff(diff: StateDiff, facts: DiffFacts): StateDiff {
  const [pre, post] = [lowerKeys(diff.pre), lowerKeys(diff.post)];
  const touched = lowerKeys(facts.touched ?? {});
  for (const address of facts.created) {
    const found = touched[address];
    if (pre[address] === undefined && found && exists(found)) {
      pre[address] = withoutStorage(found);
    }
  }
  for (const address of facts.selfDestructed) {
    const isGone =
      post[address] === undefined && (pre[address] !== undefined || facts.created.has(address));
    const found = { ...pre[address], ...touched[address] };
    if (isGone && exists(found)) pre[address] = { ...found, storage: setSlots(found) };
  }
  for (const [address, { code, nonce = 0 }] of entries(pre)) {
    const after = post[address];
    if (after === undefined || after.code !== undefined || !isDelegation(code)) continue;
    if (!removesDelegation(facts.transaction, address, BigInt(nonce))) continue;
    post[address] = { ...after, code: '0x' };
  }
  return { pre, post };
}

const exists = ({ balance = '0x0', nonce = 0, code = '0x' }: DiffAccount): boolean =>
  BigInt(balance) !== 0n || BigInt(nonce) !== 0n || code !== '0x';

/** A new contract begins without storage (EIP-7610 has no exception on any known chain). */
function withoutStorage({ balance, nonce, code }: DiffAccount): DiffAccount {
  return {
    ...(balance === undefined ? {} : { balance }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(code === undefined ? {} : { code }),
  };
}

const setSlots = ({ storage = {} }: DiffAccount): Record<Hash, Hash> =>
  Object.fromEntries(
    (Object.entries(storage) as [Hash, Hash][]).filter(([, value]) => BigInt(value) !== 0n),
  );

const lowerKeys = (
  accounts: Readonly<Record<Address, DiffAccount>>,
): Record<Address, DiffAccount> =>
  Object.fromEntries(entries(accounts).map(([key, value]) => [key.toLowerCase(), value]));

const entries = (accounts: Readonly<Record<Address, DiffAccount>>): [Address, DiffAccount][] =>
  Object.entries(accounts) as [Address, DiffAccount][];

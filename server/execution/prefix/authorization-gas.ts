import type { Address } from '../../api/primitives';
import { authorizationsOf } from '../../evm/forms/authorizations';
import type { RpcTransaction } from '../../evm/forms/types';
import type { DiffAccount } from '../../evm/forms/prestate-diff';

/** EIP-7702: PER_EMPTY_ACCOUNT_COST less PER_AUTH_BASE_COST, refunded for an authority whose account exists. */
export const REFUND = 12_500n;

/**
 * Gas that an engine does not charge: anvil 1.5.1 treats every account as existing, and so refunds a part for each authority that was never
 * used.
 * @param pre accounts that the transaction changed, before the transaction
 * @param engineGas gas used according to the engine
 * @param chainGas gas used according to the receipt
 * @returns the difference, if the refunds of new authorities explain it; else 0
 */
export function unchargedGas(
  transaction: Pick<RpcTransaction, 'authorizationList'>,
  pre: Readonly<Record<Address, DiffAccount>>,
  engineGas: bigint,
  chainGas: bigint,
): bigint {
  const difference = chainGas - engineGas;
  if (difference <= 0n || transaction.authorizationList === undefined) return 0n;
  const unused = new Set(
    authorizationsOf(transaction).flatMap(({ authority }) =>
      isUnused(pre[authority]) ? [authority] : [],
    ),
  );
  // A refund is at most a fifth of the gas (EIP-3529), which may hide a part of the difference.
  return difference <= REFUND * BigInt(unused.size) ? difference : 0n;
}

const isUnused = (account: DiffAccount | undefined): boolean =>
  account !== undefined &&
  BigInt(account.balance ?? '0x0') === 0n &&
  BigInt(account.nonce ?? 0) === 0n &&
  (account.code ?? '0x') === '0x';

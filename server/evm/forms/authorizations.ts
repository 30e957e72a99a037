import { Signature, verifyAuthorization } from 'ethers';
import type { Address } from '../../api/primitives';
import type { RpcAuthorization, RpcTransaction } from './types';

/** An authorization of EIP-7702 with a valid signature. */
export interface SignedAuthorization {
  readonly authority: Address;
  /** Account whose code the authority runs; the zero address removes the delegation. */
  readonly delegate: Address;
  readonly nonce: bigint;
  /** 0: valid on every chain. */
  readonly chainId: bigint;
}

/** Authorizations of a transaction in order. Omits those with an invalid signature, which have no effect. */
export const authorizationsOf = ({
  authorizationList = [],
}: Pick<RpcTransaction, 'authorizationList'>): SignedAuthorization[] =>
  authorizationList.flatMap((entry) => signed(entry) ?? []);

function signed(entry: RpcAuthorization): SignedAuthorization | undefined {
  try {
    const [nonce, chainId] = [BigInt(entry.nonce), BigInt(entry.chainId)];
    const signature = Signature.from({
      r: padded(entry.r),
      s: padded(entry.s),
      yParity: BigInt(entry.yParity) === 0n ? 0 : 1,
    });
    const authority = verifyAuthorization({ address: entry.address, nonce, chainId }, signature);
    return {
      authority: authority.toLowerCase() as Address,
      delegate: entry.address.toLowerCase() as Address,
      nonce,
      chainId,
    };
  } catch {
    return undefined;
  }
}

/** Nodes return signature parts as quantities, without leading zeros. */
const padded = (value: string): string => `0x${value.slice(2).padStart(64, '0')}`;

const NOBODY: Address = `0x${'0'.repeat(40)}`;
/** EIP-7702: prefix of a delegating account's code, followed by the address. */
const DELEGATION = '0xef0100';

export const isDelegation = (code: string | undefined): boolean =>
  code?.toLowerCase().startsWith(DELEGATION) === true && code.length === 48;

/** What EIP-7702 reads of an account. */
export interface AuthorityState {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: string;
}

/** An authorization of a transaction on the way to its first instruction. */
export interface ProcessedAuthorization extends SignedAuthorization {
  /** Whether it sets the code of its authority. Otherwise it only makes the account warm (EIP-7702, step 4). */
  readonly takesEffect: boolean;
  /** Whether its authority is empty before it, so that it earns no refund (step 7). */
  readonly isNew: boolean;
}

/** EIP-2681: an account with this nonce sends nothing. */
const LAST_NONCE = 2n ** 64n - 1n;

/**
 * Processes the authorizations of a transaction in order (EIP-7702, steps 1 to 9). Omits those of other chains, which have no effect at all.
 * @param stateOf an account before the transaction
 */
export function processAuthorizations(
  transaction: Pick<RpcTransaction, 'authorizationList' | 'from'>,
  chainId: bigint,
  stateOf: (authority: Address) => AuthorityState,
): ProcessedAuthorization[] {
  const sender = transaction.from.toLowerCase();
  const current = new Map<Address, AuthorityState>();
  const processed: ProcessedAuthorization[] = [];
  for (const one of authorizationsOf(transaction)) {
    const { authority, nonce, delegate } = one;
    if ((one.chainId !== 0n && one.chainId !== chainId) || nonce >= LAST_NONCE) continue;
    const before = stateOf(authority);
    const state =
      current.get(authority) ??
      (authority === sender ? { ...before, nonce: before.nonce + 1n } : before);
    const takesEffect = nonce === state.nonce && (state.code === '0x' || isDelegation(state.code));
    const isNew = state.nonce === 0n && state.balance === 0n && state.code === '0x';
    processed.push({ ...one, takesEffect, isNew });
    if (!takesEffect) continue;
    const code = delegate === NOBODY ? '0x' : `${DELEGATION}${delegate.slice(2)}`;
    current.set(authority, { balance: state.balance, nonce: state.nonce + 1n, code });
  }
  return processed;
}

/**
 * Whether the last effective authorization of an account removes its delegation (EIP-7702, step 8).
 * @param authority an account that delegates before the transaction
 * @param nonce its nonce before the transaction
 */
export function removesDelegation(
  transaction: Pick<RpcTransaction, 'authorizationList' | 'chainId' | 'from'>,
  authority: Address,
  nonce: bigint,
): boolean {
  let next = transaction.from.toLowerCase() === authority ? nonce + 1n : nonce;
  let removed = false;
  for (const one of authorizationsOf(transaction)) {
    const isHere = one.chainId === 0n || one.chainId === BigInt(transaction.chainId ?? '0x0');
    if (one.authority !== authority || one.nonce !== next || !isHere) continue;
    next++;
    removed = one.delegate === NOBODY;
  }
  return removed;
}

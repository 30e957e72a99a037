import { Signature, verifyAuthorization } from 'ethers';
import type { Address } from '../api/primitives';
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

import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import type { Address, Hash, Hex } from '../../server/api/primitives';

/** A signed transaction that may not have been sent. */
export interface RawTransaction {
  chainId: number | undefined;
  from: Address;
  to: Address | undefined;
  /** Wei. */
  value: bigint;
  data: Hex;
  gas: bigint | undefined;
}

/** The hash of a signed transaction in its network form; undefined if the bytes are none. */
export function rawTransactionHash(raw: Hex): Hash | undefined {
  // EIP-2718: a type below 0x80, or the list of a legacy transaction.
  if (!/^0x(0[1-4]|[c-f])/.test(raw)) return undefined;
  try {
    const { r, s } = parseTransaction(raw);
    return r === undefined || s === undefined ? undefined : keccak256(raw);
  } catch {
    return undefined;
  }
}

/** @param raw of which `rawTransactionHash` is known @throws Error if its signature is of nobody */
export async function readRawTransaction(raw: Hex): Promise<RawTransaction> {
  const { chainId, to, value = 0n, data = '0x', gas } = parseTransaction(raw);
  const from = await recoverTransactionAddress({
    serializedTransaction: raw as Parameters<
      typeof recoverTransactionAddress
    >[0]['serializedTransaction'],
  });
  return {
    chainId,
    from: from.toLowerCase() as Address,
    to: to?.toLowerCase() as Address | undefined,
    value,
    data,
    gas,
  };
}

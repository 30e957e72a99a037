import type { Address, Hex } from '../../api/primitives';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';

export const NOBODY: Address = `0x${'0'.repeat(40)}`;
/** What nodes give a call by default. */
const CALL_GAS = 50_000_000n;

interface UnsentCall {
  /** Nobody by default: the zero address. */
  readonly from?: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** An unsent call as a transaction of a block. The executor has to be told that nobody pays for it. */
export function unsentCall(
  { gasLimit, hash, number }: RpcBlockHeader,
  { from = NOBODY, to, data }: UnsentCall,
): RpcTransaction {
  const limit = BigInt(gasLimit);
  return {
    hash: `0x${'0'.repeat(64)}`,
    blockHash: hash,
    blockNumber: number,
    transactionIndex: '0x0',
    type: '0x0',
    nonce: '0x0',
    from,
    to,
    value: '0x0',
    gas: toQuantity(limit < CALL_GAS ? limit : CALL_GAS),
    gasPrice: '0x0',
    input: data,
  };
}

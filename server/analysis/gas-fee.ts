import type { Address, Hex } from '../api/primitives';
import type { RpcReceipt } from '../ethereum/types';
import type { MinedTransaction } from './ports';

/** Who paid for the execution, and what of it the block's fee recipient got; wei. */
export interface GasFee {
  readonly payer: Address;
  readonly paid: bigint;
  readonly recipient: Address;
  /** The base fee is burnt (EIP-1559), as are blob fees. */
  readonly received: bigint;
  /** Price times gas used, all of which a private chain may give to the recipient. */
  readonly execution: bigint;
}

/** Gas for blobs (EIP-4844), wei; 0 where there are none or the node does not tell. */
export const blobFee = ({ blobGasUsed, blobGasPrice }: RpcReceipt): bigint =>
  BigInt(blobGasUsed ?? '0x0') * BigInt(blobGasPrice ?? '0x0');

/** Execution, blobs, and what rollups of the OP stack add for the parent chain (`l1Fee`). */
export function gasFee({ transaction, receipt, block }: MinedTransaction): GasFee {
  const price = receipt.effectiveGasPrice ?? transaction.gasPrice ?? '0x0';
  const { l1Fee } = receipt as { l1Fee?: Hex };
  const gasUsed = BigInt(receipt.gasUsed);
  const execution = gasUsed * BigInt(price);
  const tip = BigInt(price) - BigInt(block.baseFeePerGas ?? '0x0');
  return {
    payer: transaction.from.toLowerCase() as Address,
    paid: execution + blobFee(receipt) + BigInt(l1Fee ?? '0x0'),
    recipient: block.miner.toLowerCase() as Address,
    received: tip > 0n ? gasUsed * tip : 0n,
    execution,
  };
}

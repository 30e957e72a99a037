import type { Address, Hex } from '../../api/primitives';
import type { RpcReceipt } from '../../ethereum/types';
import type { MinedTransaction } from '../ports';

/** Payer of the execution, and the part that the block's fee recipient received; wei. */
export interface GasFee {
  readonly payer: Address;
  readonly paid: bigint;
  readonly recipient: Address;
  /** Excludes the base fee and blob fees, which are burnt (EIP-1559, EIP-4844). */
  readonly received: bigint;
  /** Price times gas used. A private chain may credit all of it to the recipient. */
  readonly execution: bigint;
}

const lower = (address: Address): Address => address.toLowerCase() as Address;

/** Fee for blobs (EIP-4844), wei; 0 if there are none or the node does not report it. */
export const blobFee = ({ blobGasUsed, blobGasPrice }: RpcReceipt): bigint =>
  BigInt(blobGasUsed ?? '0x0') * BigInt(blobGasPrice ?? '0x0');

/** In the native currency: nothing for a fee in a token. Sums up execution, blobs, and the parent chain's fee on rollups of the OP stack (`l1Fee`). */
export function gasFee({ transaction, receipt, block }: MinedTransaction): GasFee {
  const [payer, recipient] = [lower(transaction.from), lower(block.miner)];
  if (receipt.feeToken !== undefined) {
    return { payer, paid: 0n, recipient, received: 0n, execution: 0n };
  }
  const price = receipt.effectiveGasPrice ?? transaction.gasPrice ?? '0x0';
  const { l1Fee } = receipt as { l1Fee?: Hex };
  const gasUsed = BigInt(receipt.gasUsed);
  const execution = gasUsed * BigInt(price);
  const tip = BigInt(price) - BigInt(block.baseFeePerGas ?? '0x0');
  return {
    payer,
    paid: execution + blobFee(receipt) + BigInt(l1Fee ?? '0x0'),
    recipient,
    received: tip > 0n ? gasUsed * tip : 0n,
    execution,
  };
}

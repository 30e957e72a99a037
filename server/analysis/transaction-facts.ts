import type { TransactionFacts } from '../api/explorer';
import { toDecimal } from '../ethereum/quantity';
import type { RpcReceipt } from '../ethereum/types';
import type { MinedTransaction, Network } from './ports';
import { transactionKind } from './transaction-kind';

export function transactionFacts(
  network: Network,
  { transaction, receipt, block }: MinedTransaction,
): TransactionFacts {
  return {
    hash: transaction.hash,
    chain: network.key,
    chainId: network.chainId,
    nativeSymbol: network.nativeSymbol,
    blockNumber: Number(receipt.blockNumber),
    position: Number(receipt.transactionIndex),
    timestamp: Number(block.timestamp),
    from: transaction.from.toLowerCase(),
    to: transaction.to?.toLowerCase() ?? null,
    value: toDecimal(BigInt(transaction.value)),
    fee: feeOf(receipt, transaction.gasPrice),
    gasUsed: Number(receipt.gasUsed),
    type: Number(transaction.type ?? '0x0'),
    nonce: Number(transaction.nonce),
    ...transactionKind(transaction, receipt),
  };
}

/** Execution and blob gas (EIP-4844), and what rollups of the OP stack add for the parent chain (`l1Fee`). */
function feeOf(receipt: RpcReceipt & { l1Fee?: string }, gasPrice: string | undefined): string {
  const price = receipt.effectiveGasPrice ?? gasPrice;
  if (price === undefined) return '';
  const execution = BigInt(receipt.gasUsed) * BigInt(price);
  const blobs = BigInt(receipt.blobGasUsed ?? '0x0') * BigInt(receipt.blobGasPrice ?? '0x0');
  return toDecimal(execution + blobs + BigInt(receipt.l1Fee ?? '0x0'));
}

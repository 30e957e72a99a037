import type { TransactionFacts } from '../../api/explorer';
import { toDecimal } from '../../evm/forms/quantity';
import { gasFee } from '../gas/fee';
import type { MinedTransaction, Network } from '../ports';
import { transactionKind } from './kind';

export function transactionFacts(network: Network, mined: MinedTransaction): TransactionFacts {
  const { transaction, receipt, block } = mined;
  const isPriced =
    receipt.feeToken === undefined &&
    (receipt.effectiveGasPrice ?? transaction.gasPrice) !== undefined;
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
    fee: isPriced ? toDecimal(gasFee(mined).paid) : '',
    gasUsed: Number(receipt.gasUsed),
    type: Number(transaction.type ?? '0x0'),
    nonce: Number(transaction.nonce),
    ...transactionKind(transaction, receipt),
  };
}

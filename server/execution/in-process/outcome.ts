import { getCreateAddress } from 'ethers';
import type { Address, Hash, Hex } from '../../api/primitives';
import { isDeposit } from '../../evm/forms/deposit';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcLog, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import type { ExecutedTransaction } from '../prefix/block-executor';
import type { RecordedFrame } from './frames';

/** What the virtual machine reports of a transaction. */
export interface Outcome {
  readonly failed: boolean;
  readonly gasUsed: bigint;
  readonly logs: readonly RpcLog[];
  readonly spentGas?: ExecutedTransaction['spentGas'];
}

export const toLog = ([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): RpcLog => ({
  address: hexOf(address),
  topics: topics.map((topic): Hash => hexOf(topic)),
  data: hexOf(data),
});

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

export function receiptOf(
  transaction: RpcTransaction,
  { failed, gasUsed, logs }: Outcome,
): RpcReceipt {
  const { from, to, nonce } = transaction;
  return {
    transactionHash: transaction.hash,
    transactionIndex: transaction.transactionIndex ?? '0x0',
    blockHash: transaction.blockHash ?? '0x',
    blockNumber: transaction.blockNumber ?? '0x0',
    from,
    to,
    contractAddress:
      to === null ? (getCreateAddress({ from, nonce }).toLowerCase() as Address) : null,
    gasUsed: toQuantity(gasUsed),
    cumulativeGasUsed: toQuantity(gasUsed),
    status: failed ? '0x0' : '0x1',
    logs: failed ? [] : [...logs],
  };
}

/** The frame of a transaction that failed before its first instruction: a deposit, or authorizations that the gas is not enough for (EIP-2780). */
export function refusedFrame(transaction: RpcTransaction): RecordedFrame {
  const { from, to, value, gas, input } = transaction;
  const frame: RecordedFrame = {
    type: to === null ? 'CREATE' : 'CALL',
    from,
    value,
    gas,
    gasUsed: gas,
    input,
    error: isDeposit(transaction) ? 'failed deposit transaction' : 'out of gas',
    calls: [],
    logs: [],
  };
  if (to !== null) frame.to = to;
  return frame;
}

import { createMPT } from '@ethereumjs/mpt';
import { concat, encodeRlp, getBytes, hexlify, stripZerosLeft, toBeHex } from 'ethers';
import type { Hash } from '../../api/primitives';
import { Pauses } from '../../kernel/async/slices';
import type { RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { rawTransaction } from '../../execution/prefix/raw-transaction';

/** Root of the trie of a block's transactions. @throws ApiError `upstreamLacksData` for a type whose signed form is not known */
export const transactionsRoot = (
  transactions: readonly RpcTransaction[],
  signal: AbortSignal,
): Promise<Hash> => rootOf(transactions, rawTransaction, signal);

/** Root of the trie of a block's receipts. @throws Error if a field is malformed */
export const receiptsRoot = (receipts: readonly RpcReceipt[], signal: AbortSignal): Promise<Hash> =>
  rootOf(receipts, rawReceipt, signal);

async function rootOf<T>(
  items: readonly T[],
  raw: (item: T) => string,
  signal: AbortSignal,
): Promise<Hash> {
  const pauses = new Pauses(signal);
  const trie = await createMPT();
  for (const [index, item] of items.entries()) {
    await trie.put(getBytes(encodeRlp(quantity(`0x${index.toString(16)}`))), getBytes(raw(item)));
    await pauses.ifDue();
  }
  return hexlify(trie.root()) as Hash;
}

/** EIP-2718, EIP-658; before Byzantium a state root instead of the status. */
function rawReceipt(receipt: RpcReceipt): string {
  const { status, cumulativeGasUsed, logs, type = '0x0' } = receipt;
  const { root, logsBloom, depositNonce, depositReceiptVersion } = receipt as RpcReceipt & {
    root?: string;
    logsBloom?: string;
    depositNonce?: string;
    depositReceiptVersion?: string;
  };
  // OP Stack, deposits: Regolith added the nonce, Canyon the version.
  const deposit = [depositNonce, depositReceiptVersion].flatMap((value) =>
    value === undefined || Number(type) !== 0x7e ? [] : [quantity(value)],
  );
  const fields = [
    status === undefined ? (root ?? '0x') : quantity(status),
    quantity(cumulativeGasUsed),
    logsBloom ?? '0x',
    logs.map(({ address, topics, data }) => [address, topics, data]),
    ...deposit,
  ];
  const rlp = encodeRlp(fields);
  return Number(type) === 0 ? rlp : concat([toBeHex(Number(type)), rlp]);
}

const quantity = (value: string): string => stripZerosLeft(toBeHex(BigInt(value)));

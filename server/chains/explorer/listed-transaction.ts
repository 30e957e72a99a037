import type { BlockTransaction, MethodName } from '../../api/chain-explorer';
import type { Address, Hex } from '../../api/primitives';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { toDecimal } from '../../evm/forms/quantity';
import type { RpcReceipt, RpcTransaction } from '../../evm/forms/types';

/** A transaction as lists show it. */
export function transactionOf(
  { hash, from, to, value, input }: RpcTransaction,
  position: number,
  receipt: RpcReceipt | undefined,
  methods: ReadonlyMap<Hex, MethodName>,
): BlockTransaction {
  const selector = to === null ? undefined : selectorOf(input);
  return {
    hash,
    position,
    from: lower(from) ?? '',
    to: lower(to),
    created: lower(receipt?.contractAddress),
    value: isQuantity(value) ? toDecimal(BigInt(value)) : '',
    selector: selector ?? '',
    ...((selector === undefined ? undefined : methods.get(selector)) ?? { method: '' }),
    status: receipt?.status === undefined ? null : BigInt(receipt.status) === 1n,
    gasUsed: receipt === undefined ? null : Number(receipt.gasUsed),
  };
}

/* A chain may have transactions in any form. What cannot be read is left empty, so that it does not hide the others. */

const lower = (address: unknown): string | null =>
  typeof address === 'string' ? address.toLowerCase() : null;
const isQuantity = (value: unknown): boolean =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value);

/** Undefined for receipts that the node does not return: the outcomes are unknown. @throws ApiError of the node */
export async function receiptsOf(
  rpc: RpcClient,
  transactions: readonly RpcTransaction[],
  signal: AbortSignal,
): Promise<(RpcReceipt | undefined)[]> {
  if (transactions.length === 0) return [];
  const calls = transactions.map(({ hash }) => ({
    method: 'eth_getTransactionReceipt',
    params: [hash],
  }));
  const answers = await rpc.requestAll(calls, { signal });
  signal.throwIfAborted();
  return answers.map((answer) =>
    answer.status === 'fulfilled' ? ((answer.value as RpcReceipt | null) ?? undefined) : undefined,
  );
}

/** Of the senders and receivers of transactions. */
export function labelsAmong(
  labels: Readonly<Record<Address, string>>,
  transactions: readonly BlockTransaction[],
): Record<Address, string> {
  const parties = new Set(transactions.flatMap(({ from, to }) => [from, to]));
  return Object.fromEntries(Object.entries(labels).filter(([address]) => parties.has(address)));
}

/** The selectors of calls, whose methods a list names. */
export const selectorsOf = (transactions: readonly RpcTransaction[]): Set<Hex> =>
  new Set(transactions.flatMap(({ input }) => selectorOf(input) ?? []));

/** The first four bytes of call data. */
const selectorOf = (input: unknown): Hex | undefined =>
  typeof input !== 'string' || input.length < 10
    ? undefined
    : (input.slice(0, 10).toLowerCase() as Hex);

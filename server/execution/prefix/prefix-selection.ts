import type { Address } from '../../api/primitives';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../evm/forms/types';

const lower = (address: Address): Address => address.toLowerCase() as Address;

/** Accounts that a transaction and its receipt name. It may touch more. */
export function mentionedAccounts(
  transaction: RpcTransaction,
  receipt: RpcReceipt | undefined,
): Set<Address> {
  const found = new Set<Address>([lower(transaction.from)]);
  for (const address of [
    transaction.to,
    receipt?.contractAddress ?? null,
    ...(receipt?.logs ?? []).map((log) => log.address),
    ...(transaction.accessList ?? []).map((entry) => entry.address),
  ]) {
    if (address !== null) found.add(lower(address));
  }
  return found;
}

/** A word with 17 to 20 bytes: fewer are an amount rather than an address. */
const ADDRESS_WORD = /^0{24}(?!0{8})[0-9a-f]{40}$/;

/** Words of log data that may be addresses, such as those of created contracts. */
export function loggedAddresses({ logs }: RpcReceipt): Address[] {
  const words = logs.flatMap(({ data }) => data.slice(2).match(/.{64}/g) ?? []);
  return words
    .filter((word) => ADDRESS_WORD.test(word))
    .map((word): Address => `0x${word.slice(24)}`);
}

/**
 * The transactions among the first `position` of a block that mention one of the accounts, with all earlier ones of the same senders, whose
 * nonces they need. In the block's order.
 */
export function relatedTransactions(
  block: RpcBlock,
  position: number,
  receipts: readonly RpcReceipt[],
  accounts: ReadonlySet<Address>,
): number[] {
  const senders = new Set<Address>();
  const related: number[] = [];
  for (let index = position - 1; index >= 0; index--) {
    const transaction = block.transactions[index];
    if (!transaction) continue;
    const sender = lower(transaction.from);
    const mentions = [...mentionedAccounts(transaction, receipts[index])];
    if (!senders.has(sender) && !mentions.some((account) => accounts.has(account))) continue;
    senders.add(sender);
    related.unshift(index);
  }
  return related;
}

import type { Address, Hash, Hex } from '../../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toWord } from '../../evm/forms/quantity';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import { mentionedAccounts } from '../prefix/prefix-selection';
import { requestContracts } from '../prefix/request-contracts';
import type { StateDiff } from '../../evm/forms/prestate-diff';
import { BlockPayments } from './block-payments';

/** One fact about an account after an execution. */
export interface StateFact {
  readonly account: Address;
  readonly kind: 'balance' | 'nonce' | 'code' | 'slot';
  /** Present for a slot only. */
  readonly slot?: Hash;
  /** Balance in wei and nonce in decimal; a slot as a word, code as hex. */
  readonly value: string;
}

/** Contracts whose storage changes at the end of every block. */
const CHANGED_BY_BLOCKS: ReadonlySet<string> = new Set(requestContracts('osaka'));

/** A fact with a different value elsewhere. */
export interface Difference {
  readonly fact: StateFact;
  readonly found: string;
}

/** The facts about a transaction's results that a later state can confirm, of every account that it changed. */
export function factsOf({ pre, post }: StateDiff): StateFact[] {
  const facts: StateFact[] = [];
  for (const address of new Set([...Object.keys(pre), ...Object.keys(post)] as Address[])) {
    const account = lower(address);
    const after = post[address];
    const { balance, nonce, code, storage = {} } = after ?? { balance: '0x0', code: '0x' };
    if (balance !== undefined) {
      facts.push({ account, kind: 'balance', value: BigInt(balance).toString() });
    }
    if (nonce !== undefined) facts.push({ account, kind: 'nonce', value: nonce.toString() });
    if (code !== undefined) facts.push({ account, kind: 'code', value: code.toLowerCase() });
    if (CHANGED_BY_BLOCKS.has(account)) continue;
    for (const slot of Object.keys({ ...pre[address]?.storage, ...storage }) as Hash[]) {
      facts.push({ account, kind: 'slot', slot, value: toWord(BigInt(storage[slot] ?? '0x0')) });
    }
  }
  return facts;
}

/** @returns the facts that differ on a chain or an engine at a block */
export async function differences(
  rpc: RpcClient,
  facts: readonly StateFact[],
  block: string,
  signal: AbortSignal,
): Promise<Difference[]> {
  const values = await requestEach(
    rpc,
    facts.map((fact) => readOf(fact, block)),
    { signal },
  );
  return facts.flatMap((fact, index) => {
    const found = asValue(fact.kind, values[index] as Hex);
    return found === fact.value ? [] : [{ fact, found }];
  });
}

/**
 * The differences that later transactions of the block do not explain, because none of them mentions the account. An account that the block
 * itself pays, such as the fee recipient, has to have exactly what the later transactions and the block pay it. If no fact at all was
 * confirmed, all differences are returned.
 */
export function unexplained(
  facts: readonly StateFact[],
  differing: readonly Difference[],
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  position: number,
): readonly Difference[] {
  const payments = new BlockPayments(block);
  const open = differing.filter(({ fact, found }) => {
    const isPaid = fact.kind === 'balance' && payments.concern(fact.account);
    const before = isPaid
      ? BigInt(fact.value) + payments.after(position, fact.account, receipts)
      : 0n;
    return !isPaid || !payments.explain(fact.account, before, BigInt(found));
  });
  if (open.length === facts.length) return open;
  const mentioned = new Set<Address>();
  for (let index = position + 1; index < block.transactions.length; index++) {
    const transaction = block.transactions[index];
    if (!transaction) continue;
    for (const account of mentionedAccounts(transaction, receipts[index])) mentioned.add(account);
  }
  return open.filter(
    ({ fact: { account, kind } }) =>
      !mentioned.has(account) || (kind === 'balance' && payments.concern(account)),
  );
}

export const inWords = (
  { account, kind, slot }: StateFact,
  replay: string,
  chain: string,
): string =>
  `${kind}${slot === undefined ? '' : ` ${slot}`} of ${account} is ${brief(replay)} by the replay, ${brief(chain)} on the chain`;

function readOf({ account, kind, slot }: StateFact, block: string): RpcCall {
  switch (kind) {
    case 'balance':
      return { method: 'eth_getBalance', params: [account, block] };
    case 'nonce':
      return { method: 'eth_getTransactionCount', params: [account, block] };
    case 'code':
      return { method: 'eth_getCode', params: [account, block] };
    case 'slot':
      return { method: 'eth_getStorageAt', params: [account, slot, block] };
  }
}

function asValue(kind: StateFact['kind'], answer: Hex): string {
  switch (kind) {
    case 'balance':
    case 'nonce':
      return BigInt(answer).toString();
    case 'slot':
      return toWord(BigInt(answer));
    case 'code':
      return answer.toLowerCase();
  }
}

const lower = (address: Address): Address => address.toLowerCase() as Address;

/** Shortened, because code is long. */
const brief = (value: string): string => (value.length > 80 ? `${value.slice(0, 80)}…` : value);

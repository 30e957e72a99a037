import type { Address, Hash, Hex } from '../../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import { toWord } from '../../ethereum/quantity';
import type { RpcBlock, RpcReceipt } from '../../ethereum/types';
import type { OpenBlock } from './block-executor';
import { compareReceipts, type ReplayComparison } from './compare-receipts';

/**
 * Executes the first transactions of a block, one for each receipt.
 * @param receipts the original ones
 * @param onProgress called after each transaction
 */
export async function executeFirst(
  open: OpenBlock,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  onProgress?: (done: number, total: number) => void,
): Promise<ReplayComparison> {
  const executed: RpcReceipt[] = [];
  await open.warm(block.transactions.slice(0, receipts.length + 1));
  for (const transaction of block.transactions.slice(0, receipts.length)) {
    executed.push((await open.execute(transaction, false)).receipt);
    onProgress?.(executed.length, receipts.length);
  }
  return compareReceipts(executed, receipts);
}

/**
 * Executes the rest of a block, and compares every balance, nonce, code and slot that the block changed with the chain's state after it.
 * @param from transactions of the block that are executed already
 * @returns the first difference in words; undefined if there is none
 */
export async function differenceAfterBlock(
  open: OpenBlock,
  block: RpcBlock,
  from: number,
  rpc: RpcClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  const rest = block.transactions.slice(from);
  await open.warm(rest);
  for (const transaction of rest) await open.execute(transaction, false);
  await open.end(block);
  const facts = factsOf(open, block.number);
  const values = (await requestEach(
    rpc,
    facts.map(({ call }) => call),
    { signal },
  )) as Hex[];
  const index = facts.findIndex((fact, i) => fact.read(values[i] ?? '0x') !== fact.value);
  const fact = facts[index];
  if (fact === undefined) return undefined;
  return `${fact.what} is ${brief(fact.value)} by the replay of the block, ${brief(fact.read(values[index] ?? '0x'))} on the chain`;
}

/** One fact about an account after the block. */
interface Fact {
  readonly what: string;
  readonly call: RpcCall;
  readonly value: string;
  /** The node's answer in the form of `value`. */
  readonly read: (answer: Hex) => string;
}

function factsOf(open: OpenBlock, block: Hex): Fact[] {
  const facts: Fact[] = [];
  for (const [account, { balance, nonce, code, storage }] of open.changed()) {
    const fact = (kind: string, method: string, value: string, read: Fact['read']): void => {
      facts.push({
        what: `the ${kind} of ${account}`,
        call: { method, params: [account, block] },
        value,
        read,
      });
    };
    fact('balance', 'eth_getBalance', balance.toString(), decimal);
    fact('nonce', 'eth_getTransactionCount', nonce.toString(), decimal);
    fact('code', 'eth_getCode', code, (answer) => answer.toLowerCase());
    for (const [slot, value] of storage) facts.push(slotFact(account, slot, value, block));
  }
  return facts;
}

const slotFact = (account: Address, slot: Hash, value: Hash, block: Hex): Fact => ({
  what: `slot ${slot} of ${account}`,
  call: { method: 'eth_getStorageAt', params: [account, slot, block] },
  value,
  read: (answer) => toWord(BigInt(answer)),
});

const decimal = (answer: Hex): string => BigInt(answer).toString();

/** Shortened, because code is long. */
const brief = (value: string): string => (value.length > 80 ? `${value.slice(0, 80)}…` : value);

import { decodeRlp, encodeRlp, keccak256, type RlpStructuredData } from 'ethers';
import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import { RPC_CODES } from '../../api/rpc-codes';
import {
  encodedReceipt,
  headerHash,
  headerItems,
  withdrawalItems,
} from '../../evm/forms/consensus-forms';
import type { Fields } from '../../evm/forms/fields';
import { isMethodMissing, requestEach, RpcError } from '../../evm/forms/json-rpc';
import { orderedTrieRoot } from '../../evm/forms/ordered-trie';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';
import { rawTransaction } from '../../execution/prefix/raw-transaction';
import { fetchReceipts } from '../../execution/prefix/upstream-block';
import { checkBlockName, checkHash, readNamedBlock, sourceOf } from './named-block';
import type { ForkRead, RunningFork } from './running-fork';

type Params = readonly unknown[];
/**
 * Consensus encodings of blocks, transactions and receipts. They are rebuilt from JSON-RPC results and returned only if their hash matches
 * the block's commitment. Else the node's own encoding is requested, which must pass the same check.
 */
export const RAW_READS: Readonly<Record<string, ForkRead>> = {
  debug_getRawHeader: rawHeader,
  debug_getRawBlock: rawBlock,
  debug_getRawReceipts: rawReceipts,
  debug_getRawTransaction: rawByHash,
  // Neither the engine nor a fork keeps invalid blocks.
  debug_getBadBlocks: () => Promise.resolve([]),
};

async function rawHeader(fork: RunningFork, [name]: Params): Promise<Hex> {
  checkBlockName(name);
  return encodedHeader(await readNamedBlock(fork, name));
}

/** @throws RpcError if the members do not match the block's hash */
function encodedHeader(block: Fields): Hex {
  if (headerHash(block) === block['hash']) return encodeRlp(headerItems(block)) as Hex;
  throw unproved(block, 'header', 'hash');
}

async function rawBlock(fork: RunningFork, [name]: Params): Promise<Hex> {
  checkBlockName(name);
  const block = await readNamedBlock(fork, name);
  encodedHeader(block);
  const transactions = await rawTransactionsOf(fork, block);
  if (orderedTrieRoot(transactions) !== block['transactionsRoot']) {
    throw unproved(block, 'transactions', 'transactions root');
  }
  const withdrawals = block['withdrawals'] as Fields[] | undefined;
  if (withdrawals) {
    const root = orderedTrieRoot(withdrawals.map((one) => encodeRlp(withdrawalItems(one)) as Hex));
    if (root !== block['withdrawalsRoot']) {
      throw unproved(block, 'withdrawals', 'withdrawals root');
    }
  }
  return encodeRlp([
    headerItems(block),
    transactions.map(asBlockItem),
    await uncleHeaders(fork, block),
    ...(withdrawals ? [withdrawals.map(withdrawalItems)] : []),
  ]) as Hex;
}

/** Legacy transactions are lists in a block, typed ones are strings (EIP-2718). */
const asBlockItem = (raw: Hex): RlpStructuredData =>
  Number(raw.slice(0, 4)) >= 0xc0 ? decodeRlp(raw) : raw;

async function uncleHeaders(fork: RunningFork, block: Fields): Promise<RlpStructuredData[]> {
  const hashes = block['uncles'] as readonly string[];
  const source = sourceOf(fork, Number(block['number']));
  const found = await requestEach(
    source,
    hashes.map((_, index) => ({
      method: 'eth_getUncleByBlockNumberAndIndex',
      params: [block['number'], toQuantity(index)],
    })),
  );
  return found.map((uncle, index) => {
    if (uncle !== null && headerHash(uncle as Fields) === hashes[index]) {
      return headerItems(uncle as Fields);
    }
    throw unproved(block, 'uncles', 'uncle hashes');
  });
}

async function rawTransactionsOf(fork: RunningFork, block: Fields): Promise<Hex[]> {
  const transactions = block['transactions'] as RpcTransaction[];
  const rebuilt = transactions.map((one) => rebuiltTransaction(one));
  const source = sourceOf(fork, Number(block['number']));
  return Promise.all(
    transactions.map(async ({ hash }, index) => {
      const known = rebuilt[index];
      if (known !== undefined) return known;
      const asked = await nodesOwn(source, 'eth_getRawTransactionByHash', [hash]);
      return typeof asked === 'string' ? (asked as Hex) : '0x';
    }),
  );
}

/** @returns undefined if its JSON does not match its hash: the type is specific to its chain, or it was sent without a signature */
function rebuiltTransaction(transaction: RpcTransaction): Hex | undefined {
  try {
    return rawTransaction(transaction);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function rawReceipts(fork: RunningFork, [name]: Params): Promise<Hex[]> {
  checkBlockName(name);
  const block = await readNamedBlock(fork, name);
  const source = sourceOf(fork, Number(block['number']));
  const { transactions } = block as unknown as RpcBlock;
  const receipts = await fetchReceipts(source, block as unknown as RpcBlock, transactions.length);
  const encoded = receipts.map((receipt) => encodedReceipt(receipt as unknown as Fields));
  if (orderedTrieRoot(encoded) === block['receiptsRoot']) return encoded;
  const own = await nodesOwn(source, 'debug_getRawReceipts', [block['number']]);
  if (Array.isArray(own) && orderedTrieRoot(own as Hex[]) === block['receiptsRoot']) {
    return own as Hex[];
  }
  throw unproved(block, 'receipts', 'receipts root');
}

async function rawByHash(fork: RunningFork, [hash]: Params): Promise<unknown> {
  checkHash('the transaction hash', hash);
  const found = (await fork.engine.request('eth_getTransactionByHash', [
    hash,
  ])) as RpcTransaction | null;
  const transaction = fork.replayed?.transactions.find((one) => one.hash === hash) ?? found;
  if (!transaction) throw new RpcError(RPC_CODES.invalidInput, 'transaction not found');
  const rebuilt = rebuiltTransaction(transaction);
  if (rebuilt !== undefined) return rebuilt;
  const isOriginal = Number(transaction.blockNumber ?? Infinity) <= fork.originalHead;
  const source = isOriginal ? fork.upstream : fork.engine;
  const asked = await nodesOwn(source, 'eth_getRawTransactionByHash', [hash]);
  if (typeof asked === 'string' && keccak256(asked) === hash) return asked;
  throw new RpcError(
    RPC_CODES.notSupported,
    `transaction ${String(hash)} has no signed bytes: it was sent without a signature, or its chain's node does not return all of its fields`,
  );
}

/** @returns undefined if the node does not offer the method */
async function nodesOwn(
  node: RunningFork['engine'],
  method: string,
  params: Params,
): Promise<unknown> {
  try {
    return await node.request(method, params);
  } catch (error) {
    const lacking = error instanceof ApiError && error.kind === 'upstreamLacksData';
    if (lacking || isMethodMissing(error)) return undefined;
    throw error;
  }
}

const unproved = ({ number }: Fields, what: string, commitment: string): RpcError =>
  new RpcError(
    RPC_CODES.unavailable,
    `the ${what} of block ${Number(number)}, as JSON-RPC returns them, do not match the block's ${commitment}: their encoding cannot be proved`,
  );

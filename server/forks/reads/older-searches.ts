import { invalidParams, isMethodMissing, RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { headOf } from './block-numbers';
import type { ForkRead, RunningFork } from './running-fork';
import { RPC_CODES } from '../../api/rpc-codes';

type Params = readonly unknown[];

/**
 * Searches for which the engine considers only the fork's own blocks, as if there were no others. If it finds nothing, the forked chain's
 * node is asked.
 */
export const OLDER_SEARCHES: Readonly<Record<string, ForkRead>> = {
  debug_codeByHash: codeByHash,
  ots_getContractCreator: contractCreator,
  ots_getTransactionBySenderAndNonce: bySenderAndNonce,
  ots_searchTransactionsBefore: (fork, params) => search(fork, 'Before', params),
  ots_searchTransactionsAfter: (fork, params) => search(fork, 'After', params),
};

/** @throws RpcError -32004 if the node does not offer the method */
async function askNode(
  { upstream }: RunningFork,
  method: string,
  params: Params,
  what: string,
): Promise<unknown> {
  try {
    return await upstream.request(method, params);
  } catch (error) {
    if (!isMethodMissing(error)) throw error;
    throw new RpcError(
      RPC_CODES.notSupported,
      `${what}, and the forked chain's node does not offer ${method}`,
    );
  }
}

/** Code that the engine has loaded, or that the node returns. */
async function codeByHash(fork: RunningFork, params: Params): Promise<unknown> {
  const [hash] = params;
  // The engine passes unknown hashes on to a node that may lack the method.
  const found = await fork.engine.request('debug_codeByHash', params).catch((error: unknown) => {
    if (!isMethodMissing(error)) throw error;
  });
  if (isCode(found)) return found;
  const what = `the fork has loaded no code with hash ${String(hash)}`;
  const older = await askNode(fork, 'debug_codeByHash', [hash], what);
  if (isCode(older)) return older;
  throw new RpcError(RPC_CODES.notSupported, `${what}, and the forked chain's node has none`);
}

const isCode = (value: unknown): boolean => typeof value === 'string' && value.length > 2;

async function contractCreator(fork: RunningFork, params: Params): Promise<unknown> {
  const found = await fork.engine.request('ots_getContractCreator', params);
  if (found !== null) return found;
  const [address] = params;
  const atFork = [address, toQuantity(fork.originalHead)];
  if (!isCode(await fork.engine.request('eth_getCode', atFork))) return null;
  const what = `the contract ${String(address)} is older than the fork`;
  return askNode(fork, 'ots_getContractCreator', params, what);
}

async function bySenderAndNonce(fork: RunningFork, params: Params): Promise<unknown> {
  const method = 'ots_getTransactionBySenderAndNonce';
  const found = await fork.engine.request(method, params);
  if (found !== null) return found;
  const [sender, nonce] = params;
  const atFork = [sender, toQuantity(fork.originalHead)];
  const next = (await fork.engine.request('eth_getTransactionCount', atFork)) as string;
  if (BigInt(nonce as string) >= BigInt(next)) return null;
  return askNode(fork, method, params, 'the transaction is older than the fork');
}

interface Page {
  txs: unknown[];
  receipts: unknown[];
  firstPage: boolean;
  lastPage: boolean;
}

/** One page of an account's transactions, from the blocks of the fork. @throws RpcError -32004 if the page needs older blocks */
async function search(
  fork: RunningFork,
  direction: 'Before' | 'After',
  params: Params,
): Promise<unknown> {
  const { engine, originalHead } = fork;
  const method = `ots_searchTransactions${direction}`;
  const [address, block, size, ...others] = params;
  const number = Number(block);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw invalidParams('the block', block, 'a block number, or 0');
  }
  const begins =
    direction === 'Before' ? number === 0 || number > originalHead + 1 : number >= originalHead;
  // The engine looks at each number between this one and its head, even if the blocks do not exist.
  const nearest = Math.min(number, headOf(fork) + 1);
  const page = begins
    ? ((await engine.request(method, [address, nearest, size, ...others])) as Page)
    : undefined;
  const isWhole = page && (direction === 'After' || page.txs.length >= Number(size));
  if (isWhole) return { ...page, lastPage: false };
  throw new RpcError(
    RPC_CODES.notSupported,
    `${method} of ${String(address)} reaches blocks that are older than the fork (up to ${originalHead}), which are not searched`,
  );
}

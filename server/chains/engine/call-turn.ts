import { STATE_BLOCK_PARAMETER } from '../../evm/forms/block-parameters';
import type { RpcCall } from '../../evm/forms/json-rpc';

/**
 * Kinds of calls, by the other calls that an engine may execute at the same time:
 * - `lookup`: any. The call reads blocks, transactions or settings, no state.
 * - `newest`: other reads. The call reads the newest or the pending state.
 * - `numbered`: as `newest` if the block is the newest one, else as `older`.
 * - `older`: no other call of this kind, and no change. The call reads the state after an older block.
 * - `change`: lookups only.
 */
export type CallTurn =
  { kind: 'lookup' | 'newest' | 'older' | 'change' } | { kind: 'numbered'; number: number };

const LOOKUP = { kind: 'lookup' } as const;
const NEWEST = { kind: 'newest' } as const;
const OLDER = { kind: 'older' } as const;
const CHANGE = { kind: 'change' } as const;

/** For a block before the fork point, the engine passes these calls to its upstream and takes no lock. */
const FORWARDED_READS: Readonly<Record<string, number>> = {
  ...STATE_BLOCK_PARAMETER,
  eth_getAccountInfo: 1,
  eth_simulateV1: 1,
};
const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  ...FORWARDED_READS,
  debug_traceCall: 1,
  ots_hasCode: 1,
};

/** Lookups that execute the pooled transactions if the block is `pending`. */
const BLOCK_LOOKUPS = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getRawTransactionByBlockNumberAndIndex',
  'eth_getBlockReceipts',
  'erigon_getHeaderByNumber',
  'ots_getBlockDetails',
]);
const LOOKUPS = new Set([
  'web3_clientVersion',
  'web3_sha3',
  'net_listening',
  'net_version',
  'eth_chainId',
  'eth_blockNumber',
  'eth_protocolVersion',
  'eth_syncing',
  'eth_accounts',
  'eth_coinbase',
  'eth_hashrate',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_blobBaseFee',
  'eth_feeHistory',
  'eth_getBlockByHash',
  'eth_getBlockTransactionCountByHash',
  'eth_getUncleCountByBlockHash',
  'eth_getUncleCountByBlockNumber',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getRawTransactionByHash',
  'eth_getTransactionReceipt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockHashAndIndex',
  'eth_getLogs',
  'txpool_status',
  'txpool_inspect',
  'txpool_content',
  'anvil_nodeInfo',
  'trace_transaction',
  'trace_block',
  'trace_filter',
  'ots_getApiLevel',
  'ots_traceTransaction',
  'ots_getInternalOperations',
  'ots_getTransactionError',
  'ots_getBlockDetailsByHash',
  'ots_getBlockTransactions',
  'anvil_getBlobByHash',
]);
/** Methods that add a transaction to the pool, which reads the sender's account. */
const SENDS = new Set(['eth_sendRawTransaction', 'eth_sendTransaction']);
/** Methods that the engine executes on a thread of its own: calls after it in the same message do not wait for it. */
const THREADED = new Set([
  'eth_call',
  'eth_estimateGas',
  'eth_createAccessList',
  'eth_simulateV1',
  'anvil_mine',
  'hardhat_mine',
]);
/** Methods that execute a transaction again on the state before it, or search many states for a transaction. */
const OLDER_READS = new Set([
  'debug_traceTransaction',
  'eth_getTransactionBySenderAndNonce',
  'ots_getTransactionBySenderAndNonce',
  'ots_getContractCreator',
  'ots_searchTransactionsBefore',
  'ots_searchTransactionsAfter',
]);

/**
 * @param forkBlock number of the block that the engine forked from
 * @returns `change` for an unknown method
 */
export function turnOf({ method, params }: RpcCall, forkBlock: number | undefined): CallTurn {
  if (Object.hasOwn(BLOCK_PARAMETER, method)) {
    const turn = turnAt(params[BLOCK_PARAMETER[method] ?? 0]);
    const isForwarded =
      turn.kind === 'numbered' &&
      Object.hasOwn(FORWARDED_READS, method) &&
      turn.number < (forkBlock ?? 0);
    return isForwarded ? LOOKUP : turn;
  }
  if (BLOCK_LOOKUPS.has(method)) return params[0] === 'pending' ? NEWEST : LOOKUP;
  if (LOOKUPS.has(method)) return LOOKUP;
  if (SENDS.has(method)) return NEWEST;
  return OLDER_READS.has(method) ? OLDER : CHANGE;
}

/** Whether calls after this one can depend on it: it changes the engine, or adds a transaction to the pool. */
export const hasEffect = (call: RpcCall): boolean =>
  isSend(call) || turnOf(call, undefined).kind === 'change';

export const isThreaded = ({ method }: RpcCall): boolean => THREADED.has(method);

/** Whether a call adds a transaction to the pool. */
export const isSend = ({ method }: RpcCall): boolean => SENDS.has(method);

/** @param block block parameter: a quantity, a tag, a hash, or an object with one of them (EIP-1898) */
function turnAt(block: unknown): CallTurn {
  if (block === undefined || block === null) return NEWEST;
  if (block === 'latest' || block === 'pending') return NEWEST;
  if (block === 'earliest') return { kind: 'numbered', number: 0 };
  if (typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block)) {
    return { kind: 'numbered', number: Number(block) };
  }
  if (typeof block === 'object' && 'blockNumber' in block) return turnAt(block.blockNumber);
  return OLDER;
}

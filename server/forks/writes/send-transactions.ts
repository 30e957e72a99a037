import type { Hardfork } from '../../api/config';
import { requestEach, resultOf, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlockHeader, RpcTransaction } from '../../evm/forms/types';
import type { EngineBlobGas } from '../../execution/prefix/engine-blob-gas';
import {
  NODE_INFO,
  nextBlockOf,
  readSingleSend,
  requireExecutable,
  sentAloneCalls,
} from './executable';
import type { ForkChain } from './fork-chain';
import type { OpStackFees } from './op-stack-fees';
import { rejectedTransaction } from './rejected-transaction';
import {
  NEXT_BLOCK_CALLS,
  requestWithNextBlock,
  restoreNextBlock,
  settingCalls,
  toNextBlock,
  type NextBlock,
} from './next-block';
import {
  countWaiting,
  dropFromPool,
  putIntoPool,
  rejected,
  withUnchangedPool,
  waitsForNonce,
  type PoolStatus,
} from './transaction-pool';

/** The fork to which transactions are sent. */
export interface Destination {
  engine: RpcClient;
  /** Rules of its blocks. */
  hardfork: Hardfork;
  /** Most gas of a transaction; undefined: the block's limit alone. */
  maxGas: number | undefined;
  /** As in `EntryRunnerOptions`. */
  blobGas: EngineBlobGas | undefined;
  /** Fees that the engine does not take. */
  fees: OpStackFees | undefined;
  chain: ForkChain;
  /** Whether the pool is known to be empty. */
  poolIsEmpty: boolean;
  /** Ends the engine, because its state differs from the journal; the next request starts another one. */
  abandon: () => Promise<void>;
}

/**
 * Sends transactions that have not been checked yet: all of them or none.
 * @param timestamp time of the block that is mined with them; undefined: they stay in the pool
 * @returns their hashes, in order
 * @throws RpcError; nothing has changed then
 */
export async function sendTransactions(
  to: Destination,
  calls: readonly RpcCall[],
  timestamp: number | undefined,
): Promise<string[]> {
  if (timestamp === undefined) return sendToPool(to, calls);
  const [one, ...others] = calls;
  if (!one || others.length > 0) return sendBundle(to, calls, timestamp);
  return [await sendOne(to, one, timestamp)];
}

const POOL: RpcCall = { method: 'txpool_status', params: [] };
const NEWEST: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] };

/** Sends transactions that stay in the pool. */
async function sendToPool(
  { engine, hardfork, maxGas, fees, abandon }: Destination,
  calls: readonly RpcCall[],
): Promise<string[]> {
  const [pool] = await requestEach(engine, [POOL]);
  const send = async (): Promise<string[]> => {
    const hashes = await putIntoPool(engine, calls);
    const [info] = await requestEach(engine, [NODE_INFO]);
    const rules = nextBlockOf(info, { hardfork, maxGas });
    await requireExecutable(engine, hashes, { rules, fees, from: firstSender(calls) });
    return hashes;
  };
  return withUnchangedPool(engine, countWaiting(pool as PoolStatus), send, abandon);
}

/** Sends a transaction together with the reads that it needs: each exchange with the engine takes time. */
async function sendOne(to: Destination, call: RpcCall, timestamp: number): Promise<string> {
  const { engine, hardfork, maxGas, fees, chain, poolIsEmpty, abandon } = to;
  const from = firstSender([call]);
  const isAlone = poolIsEmpty && typeof from === 'string';
  // The price of blob gas (EIP-4844) is not among the engine's facts.
  const rulesCalls = isAlone && !hasBlobs(call) ? [NODE_INFO] : NEXT_BLOCK_CALLS;
  const reads = [...(poolIsEmpty ? [] : [POOL]), ...(chain.newest ? [] : [NEWEST]), ...rulesCalls];
  const after = isAlone ? sentAloneCalls(from) : [];
  const outcomes = await engine.requestAll([...reads, call, ...after]);
  const answers = outcomes.slice(0, reads.length).map(resultOf);
  const waiting = poolIsEmpty ? 0 : countWaiting(answers.shift() as PoolStatus);
  const head = chain.newest ?? (answers.shift() as RpcBlockHeader);
  const send = async (): Promise<string> => {
    const sent = outcomes.slice(reads.length).map(resultOf);
    const [hash, ...seen] = sent as [string, ...unknown[]];
    const rules =
      rulesCalls === NEXT_BLOCK_CALLS
        ? { ...toNextBlock(answers), hardfork, maxGas }
        : nextBlockOf(answers[0], { hardfork, maxGas });
    const { isReady } = await requireExecutable(engine, [hash], {
      rules,
      fees,
      from,
      sent: readSingleSend(seen),
    });
    // A transaction with a later nonce waits for earlier ones, as on every node.
    if (isReady) await executeOne(to, hash, { head, timestamp, waiting });
    return hash;
  };
  return withUnchangedPool(engine, waiting, send, abandon);
}

async function sendBundle(
  to: Destination,
  calls: readonly RpcCall[],
  timestamp: number,
): Promise<string[]> {
  const { engine, hardfork, maxGas, fees, abandon } = to;
  const { answers, next } = await requestWithNextBlock(engine, [POOL, NEWEST]);
  const [pool, head] = answers as [PoolStatus, RpcBlockHeader];
  const send = async (): Promise<string[]> => {
    const hashes = await putIntoPool(engine, calls);
    const rules = { ...next, hardfork, maxGas };
    const from = firstSender(calls);
    const { transactions } = await requireExecutable(engine, hashes, { rules, fees, from });
    await executeBundle(to, hashes, { head, next, timestamp, transactions });
    return hashes;
  };
  return withUnchangedPool(engine, countWaiting(pool), send, abandon);
}

/** @param waiting number of transactions in the pool before */
async function executeOne(
  { engine, chain, poolIsEmpty, abandon }: Destination,
  hash: string,
  { head, timestamp, waiting }: { head: RpcBlockHeader; timestamp: number; waiting: number },
): Promise<void> {
  await chain.mineOne(timestamp, head);
  if (chain.holds([hash])) return;
  if (!poolIsEmpty && (await waitsForNonce(engine, hash))) return;
  await abandon();
  // Other pooled transactions occupied the block: one of them was dropped, or there was no room.
  throw rejected(
    waiting > 0
      ? 'pending transactions keep it out of its block: the fork cannot execute them, or they fill the block; mine or drop them first'
      : 'the engine left it out of its block, although no other transaction is pending and its fees, gas and funds are sufficient',
  );
}

/** Whether the price of blob gas matters for a transaction (EIP-4844). */
const hasBlobs = ({ params: [transaction] }: RpcCall): boolean =>
  typeof transaction === 'object' &&
  transaction !== null &&
  /blob/i.test(Object.keys(transaction).join());

/** Sender of the first transaction; undefined if it is signed or names none. */
function firstSender([call]: readonly RpcCall[]): unknown {
  const transaction = call?.params[0];
  return typeof transaction === 'object' && transaction !== null && 'from' in transaction
    ? transaction.from
    : undefined;
}

interface BundleContext {
  head: RpcBlockHeader;
  next: NextBlock;
  timestamp: number;
  /** The transactions being sent. */
  transactions: readonly (RpcTransaction | null)[];
}

/** One transaction may pay for the next, so only the mined block shows whether all could be executed. */
async function executeBundle(
  { engine, chain, blobGas, fees, abandon }: Destination,
  hashes: readonly string[],
  { head, next, timestamp, transactions }: BundleContext,
): Promise<void> {
  const { state } = chain.clock;
  const before = await engine.request('evm_snapshot', []);
  await chain.mineOne(timestamp, head);
  const missing = missingFrom(chain, hashes);
  if (missing === undefined) return;
  const refusal = await rejectedTransaction(engine, transactions[missing] ?? undefined, {
    index: missing,
    count: hashes.length,
    fees,
  });
  await engine.request('evm_revert', [before]);
  await dropFromPool(engine, hashes);
  const { next: now } = await requestWithNextBlock(engine, settingCalls(next));
  chain.rewound(Number(head.number));
  chain.clock.restore(state);
  if (!(await restoreNextBlock(engine, next, now))) await abandon();
  else await blobGas?.enterHead(next);
  throw refusal;
}

/** @returns the index of the first transaction that the newest block lacks */
function missingFrom(chain: ForkChain, hashes: readonly string[]): number | undefined {
  const mined = chain.blocks.at(-1)?.transactions ?? [];
  const index = hashes.findIndex((hash) => !mined.includes(hash));
  return index === -1 ? undefined : index;
}

import type { Hardfork } from '../../api/config';
import { resultOf, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import type { RpcBlockHeader, RpcTransaction } from '../../ethereum/types';
import { nextBlockOf, requireExecutable, readSingleSend, sentAloneCalls } from './executable';
import type { ForkChain } from './fork-chain';
import { leftOut } from './left-out';
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
  const { engine, hardfork, poolIsEmpty, abandon } = to;
  const reads = [
    { method: 'txpool_status', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ...(timestamp === undefined ? [] : NEXT_BLOCK_CALLS),
  ];
  const [one, ...others] = calls;
  const alone = one && others.length === 0 ? [one] : [];
  const from = one && senderOf(one);
  const isAccepted = poolIsEmpty && alone.length === 1 && typeof from === 'string';
  const after = isAccepted && timestamp !== undefined ? sentAloneCalls(from) : [];
  const outcomes = await engine.requestAll([...reads, ...alone, ...after]);
  const seen = outcomes.splice(reads.length + alone.length);
  const sent = outcomes.splice(reads.length);
  const [pool, head, ...settings] = outcomes.map(resultOf);
  const waiting = countWaiting(pool as PoolStatus);
  return withUnchangedPool(
    engine,
    waiting,
    async () => {
      const hashes =
        one && alone.length === 1
          ? (sent.map(resultOf) as string[])
          : await putIntoPool(engine, calls);
      if (timestamp === undefined) {
        const rules = await nextBlockOf(engine, hardfork);
        await requireExecutable(engine, hashes, { rules, from });
        return hashes;
      }
      const next = toNextBlock(settings);
      const { isReady, transactions } = await requireExecutable(engine, hashes, {
        rules: { ...next, hardfork },
        from,
        sent: readSingleSend(seen.map(resultOf)),
      });
      const context = { head: head as RpcBlockHeader, next, timestamp, waiting, transactions };
      const [hash] = hashes;
      if (hash === undefined || alone.length === 0) await executeBundle(to, hashes, context);
      // A transaction with a later nonce waits for earlier ones, as on every node.
      else if (isReady) await executeOne(to, hash, context);
      return hashes;
    },
    abandon,
  );
}

/** Context of the block that will contain the transactions. */
interface NextBlockContext {
  head: RpcBlockHeader;
  next: NextBlock;
  timestamp: number;
  /** Number of transactions in the pool before. */
  waiting: number;
  /** The transactions being sent. */
  transactions: readonly (RpcTransaction | null)[];
}

async function executeOne(
  { engine, chain, abandon }: Destination,
  hash: string,
  { head, timestamp, waiting }: NextBlockContext,
): Promise<void> {
  await chain.mineOne(timestamp, head);
  if (chain.holds([hash]) || (await waitsForNonce(engine, hash))) return;
  await abandon();
  // Other pooled transactions occupied the block: one of them was dropped, or there was no room.
  throw rejected(
    waiting > 0
      ? 'pending transactions keep it out of its block: the fork cannot execute them, or they fill the block; mine or drop them first'
      : 'the engine left it out of its block, although no other transaction is pending and its fees, gas and funds are sufficient',
  );
}

/** undefined for a signed transaction, and if it names no sender */
const senderOf = ({ params: [transaction] }: RpcCall): unknown =>
  typeof transaction === 'object' && transaction !== null && 'from' in transaction
    ? transaction.from
    : undefined;

/** One transaction may pay for the next, so only the mined block shows whether all could be executed. */
async function executeBundle(
  { engine, chain, abandon }: Destination,
  hashes: readonly string[],
  { head, next, timestamp, transactions }: NextBlockContext,
): Promise<void> {
  const { state } = chain.clock;
  const before = await engine.request('evm_snapshot', []);
  await chain.mineOne(timestamp, head);
  const missing = missingFrom(chain, hashes);
  if (missing === undefined) return;
  const refusal = await leftOut(engine, transactions[missing] ?? undefined, {
    index: missing,
    count: hashes.length,
  });
  await engine.request('evm_revert', [before]);
  await dropFromPool(engine, hashes);
  const { next: now } = await requestWithNextBlock(engine, settingCalls(next));
  chain.rewound(Number(head.number));
  chain.clock.restore(state);
  if (!(await restoreNextBlock(engine, next, now))) await abandon();
  throw refusal;
}

/** @returns the index of the first transaction that the newest block lacks */
function missingFrom(chain: ForkChain, hashes: readonly string[]): number | undefined {
  const mined = chain.blocks.at(-1)?.transactions ?? [];
  const index = hashes.findIndex((hash) => !mined.includes(hash));
  return index === -1 ? undefined : index;
}

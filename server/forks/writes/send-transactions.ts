import { requestEach, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import type { RpcBlockHeader } from '../../ethereum/types';
import type { ForkChain } from './fork-chain';
import {
  NEXT_BLOCK_CALLS,
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
  requireExecutable,
  sparingPool,
  waitsForNonce,
  type PoolStatus,
} from './transaction-pool';

/** Where transactions go. */
export interface Destination {
  engine: RpcClient;
  chain: ForkChain;
  /** Ends the engine, which is not what the journal says any more; the next request starts another. */
  abandon: () => Promise<void>;
}

/**
 * Sends transactions that nobody knows to be executable: all of them or none.
 * @param timestamp of the block that is mined with them; undefined: they wait
 * @returns their hashes, in order
 * @throws RpcError; nothing has changed then
 */
export async function sendTransactions(
  to: Destination,
  calls: readonly RpcCall[],
  timestamp: number | undefined,
): Promise<string[]> {
  const { engine, abandon } = to;
  const [pool, head, ...settings] = await requestEach(engine, [
    { method: 'txpool_status', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    ...(timestamp === undefined ? [] : NEXT_BLOCK_CALLS),
  ]);
  return sparingPool(
    engine,
    countWaiting(pool as PoolStatus),
    async () => {
      const hashes = await putIntoPool(engine, calls);
      if (timestamp === undefined) return hashes;
      const place = { head: head as RpcBlockHeader, next: toNextBlock(settings), timestamp };
      const [hash] = hashes;
      if (hash !== undefined && hashes.length === 1) await executeOne(to, hash, place);
      else await executeBundle(to, hashes, place);
      return hashes;
    },
    abandon,
  );
}

/** Of the block that is to hold the transactions. */
interface Place {
  head: RpcBlockHeader;
  next: NextBlock;
  timestamp: number;
}

async function executeOne(
  { engine, chain, abandon }: Destination,
  hash: string,
  { head, next, timestamp }: Place,
): Promise<void> {
  // One with a nonce to come waits for those before it, as on every node.
  if (!(await requireExecutable(engine, hash, next))) return;
  await chain.mineOne(timestamp, head);
  if (missingFrom(chain, [hash]) === undefined || (await waitsForNonce(engine, hash))) return;
  // Its block went to others that had waited: one that they depend on was dropped, or there was no room.
  await abandon();
  throw rejected(
    'transactions that wait in the pool keep it out of its block: the fork cannot execute them, or they fill the block; mine or drop them first',
  );
}

/** One transaction may pay for the next: only the mined block tells whether all could be executed. */
async function executeBundle(
  { engine, chain, abandon }: Destination,
  hashes: readonly string[],
  { head, next, timestamp }: Place,
): Promise<void> {
  const { state } = chain.clock;
  const before = await engine.request('evm_snapshot', []);
  await chain.mineOne(timestamp, head);
  const missing = missingFrom(chain, hashes);
  if (missing === undefined) return;
  await engine.request('evm_revert', [before]);
  await dropFromPool(engine, hashes);
  await requestEach(engine, settingCalls(next));
  chain.rewound(Number(head.number));
  chain.clock.restore(state);
  if (!(await restoreNextBlock(engine, next))) await abandon();
  throw rejected(
    `transaction ${missing} of the bundle cannot be executed: its nonce, its gas, its fee, or the funds of its sender do not allow it`,
  );
}

/** @returns the place of the first that the newest block does not hold */
function missingFrom(chain: ForkChain, hashes: readonly string[]): number | undefined {
  const mined = chain.blocks.at(-1)?.transactions ?? [];
  const place = hashes.findIndex((hash) => !mined.includes(hash));
  return place === -1 ? undefined : place;
}

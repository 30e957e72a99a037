import type { Hardfork } from '../../api/config';
import { requestEach, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import type { RpcTransaction } from '../../ethereum/types';
import { restoreSettings, settingsOfNextBlock, type BlockSettings } from './engine-blocks';
import { checkExecutable, nextBlockOf, type NextBlock } from './executable';
import type { ForkChain } from './fork-chain';
import {
  dropFromPool,
  hasReady,
  inBundle,
  putIntoPool,
  rejected,
  sparingPool,
  waitsForNonce,
} from './transaction-pool';

/** Where transactions go. */
export interface Destination {
  engine: RpcClient;
  chain: ForkChain;
  /** Rules of its blocks. */
  hardfork: Hardfork;
  /** Ends the engine, which is not what the journal says any more; the next request starts another. */
  abandon: () => Promise<void>;
}

/**
 * Sends transactions that nobody knows to be executable: all of them or none.
 * @param timestamp of the block that is mined with them; undefined: they wait
 * @returns their hashes, in order
 * @throws RpcError; nothing has changed then
 */
export function sendTransactions(
  to: Destination,
  calls: readonly RpcCall[],
  timestamp: number | undefined,
): Promise<string[]> {
  const { engine, hardfork, abandon } = to;
  return sparingPool(
    engine,
    async (waiting) => {
      if (timestamp === undefined) {
        const hashes = await putIntoPool(engine, calls);
        await requireExecutable(engine, hashes, await nextBlockOf(engine, hardfork));
        return hashes;
      }
      const next = await settingsOfNextBlock(engine);
      const hashes = await putIntoPool(engine, calls);
      await requireExecutable(engine, hashes, { ...next, hardfork });
      const [hash] = hashes;
      if (hash !== undefined && hashes.length === 1) await executeOne(to, hash, timestamp, waiting);
      else await executeBundle(to, hashes, next, timestamp);
      return hashes;
    },
    abandon,
  );
}

/** @throws RpcError for the first that no block can hold; all are out of the pool then */
async function requireExecutable(
  engine: RpcClient,
  hashes: readonly string[],
  next: NextBlock,
): Promise<void> {
  const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }));
  const transactions = (await requestEach(engine, calls)) as (RpcTransaction | null)[];
  for (const [place, transaction] of transactions.entries()) {
    try {
      if (transaction) await checkExecutable(engine, transaction, next, place === 0);
    } catch (error) {
      await dropFromPool(engine, hashes);
      throw inBundle(error, place, hashes.length);
    }
  }
}

async function executeOne(
  { engine, chain, abandon }: Destination,
  hash: string,
  timestamp: number,
  waiting: number,
): Promise<void> {
  // One with a nonce to come waits for those before it, as on every node.
  if (!(await hasReady(engine))) return;
  await chain.mineOne(timestamp);
  if (missingFrom(chain, [hash]) === undefined || (await waitsForNonce(engine, hash))) return;
  await abandon();
  // Its block went to others that had waited: one that they depend on was dropped, or there was no room.
  throw rejected(
    waiting > 0
      ? 'transactions that wait in the pool keep it out of its block: the fork cannot execute them, or they fill the block; mine or drop them first'
      : 'the engine left it out of its block; no other transaction waits, and the fees, gas and funds of this one would do',
  );
}

/** One transaction may pay for the next: only the mined block tells whether all could be executed. */
async function executeBundle(
  { engine, chain, abandon }: Destination,
  hashes: readonly string[],
  next: BlockSettings,
  timestamp: number,
): Promise<void> {
  const { state } = chain.clock;
  const before = await engine.request('evm_snapshot', []);
  await chain.mineOne(timestamp);
  const missing = missingFrom(chain, hashes);
  if (missing === undefined) return;
  await engine.request('evm_revert', [before]);
  await dropFromPool(engine, hashes);
  await restoreSettings(engine, next);
  await chain.rewound();
  chain.clock.restore(state);
  const { excessBlobGas } = await settingsOfNextBlock(engine);
  // No revert takes it back.
  if (excessBlobGas !== next.excessBlobGas) await abandon();
  throw rejected(
    `transaction ${missing} of the bundle cannot be executed behind those before it: its nonce, the funds of its sender, or the gas that is left in the block do not allow it`,
  );
}

/** @returns the place of the first that the newest block does not hold */
function missingFrom(chain: ForkChain, hashes: readonly string[]): number | undefined {
  const mined = chain.blocks.at(-1)?.transactions ?? [];
  const place = hashes.findIndex((hash) => !mined.includes(hash));
  return place === -1 ? undefined : place;
}

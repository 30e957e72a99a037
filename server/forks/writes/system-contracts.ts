import type { Hash } from '../../api/primitives';
import { headOfEngine } from '../../evm/forms/block-header';
import { requestEach, resultOf, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlock, RpcBlockHeader } from '../../evm/forms/types';
import { systemCalls } from '../../execution/prefix/block-context';
import { SYSTEM_CONTRACTS } from '../../evm/rules/system-contracts';
import type { ForkBlock } from './engine-blocks';

type Header = RpcBlockHeader & { requestsHash?: Hash };

/** Slots of the EIP-2935 ring: older hashes are overwritten. */
const REMEMBERED_BLOCKS = 8_191;

/**
 * Loads the accounts that each block changes, so that blocks can be mined while the forked chain does not answer, and that a revert to the
 * first snapshot does not unload them. Other accounts are loaded in the same batch, because several concurrent batches of cold reads can
 * block an engine.
 * @returns code of the other accounts, in the same order
 * @throws RpcError, ApiError if one of the other accounts cannot be read
 */
export async function loadAccounts(
  engine: RpcClient,
  others: readonly string[],
  feeRecipient: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const outcomes = await engine.requestAll(
    [...others, ...SYSTEM_CONTRACTS, feeRecipient].map((address) => ({
      method: 'eth_getCode',
      params: [address, 'latest'],
    })),
    { signal },
  );
  return outcomes.slice(0, others.length).map(resultOf) as string[];
}

/**
 * Mines the executable transactions of the pool, with the system storage that the engine does not write itself.
 * @param timestamp Unix seconds
 * @param parent the newest block, if known
 */
export async function mineBlock(
  engine: RpcClient,
  timestamp: number,
  parent?: RpcBlockHeader,
): Promise<{ block: ForkBlock; mined: RpcBlock }> {
  const head = parent ?? (await headOfEngine(engine));
  const calls = systemCalls({
    ...head,
    number: toQuantity(BigInt(head.number) + 1n),
    timestamp: toQuantity(timestamp),
    parentHash: head.hash,
    // The engine's own blocks have a zero root.
    ...(head.parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot: toWord(0) }),
  });
  const answers = await requestEach(engine, [
    ...calls,
    { method: 'evm_setNextBlockTimestamp', params: [timestamp] },
    { method: 'evm_mine_detailed', params: [] },
  ]);
  const [mined] = answers.at(-1) as RpcBlock[];
  if (!mined || Number(mined.timestamp) !== timestamp) {
    throw new Error(`the engine mined no block at ${timestamp}`);
  }
  const transactions = mined.transactions.map(({ hash }) => hash);
  return {
    block: { number: Number(mined.number), timestamp: Number(mined.timestamp), transactions },
    mined,
  };
}

/** Mines several blocks at once, `interval` seconds apart, and writes the system storage after the last of them. */
export async function mineBlocks(
  engine: RpcClient,
  blocks: number,
  interval: number,
): Promise<void> {
  await engine.request('anvil_mine', [toQuantity(blocks), toQuantity(interval)]);
  const last = Number((await headOfEngine(engine)).number);
  const count = Math.min(blocks, REMEMBERED_BLOCKS);
  const headers = await requestEach(
    engine,
    Array.from({ length: count }, (_, i) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(last - count + 1 + i), false],
    })),
  );
  await requestEach(engine, (headers as Header[]).flatMap(systemCalls));
}

import type { Hash } from '../../api/primitives';
import { requestEach, resultOf, type RpcClient } from '../../ethereum/json-rpc';
import { toQuantity, toWord } from '../../ethereum/quantity';
import type { RpcBlockHeader } from '../../ethereum/types';
import { SYSTEM_CONTRACTS, systemCalls } from '../../replay/block-context';
import type { ForkBlock } from './engine-blocks';

type Header = RpcBlockHeader & { requestsHash?: Hash };
type MinedBlock = RpcBlockHeader & { transactions: readonly { hash: string }[] };

/** Slots of the EIP-2935 ring: older hashes are written over. */
const REMEMBERED_BLOCKS = 8_191;

/**
 * Has the engine read the system contracts, so that blocks can be mined while the forked chain does not answer, and with them other
 * accounts: several batches of cold reads at the same time can block an engine.
 * @returns the codes of the others, in their order
 * @throws RpcError, ApiError where one of the others cannot be read
 */
export async function loadAccounts(
  engine: RpcClient,
  others: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const outcomes = await engine.requestAll(
    [...others, ...SYSTEM_CONTRACTS].map((address) => ({
      method: 'eth_getCode',
      params: [address, 'latest'],
    })),
    { signal },
  );
  return outcomes.slice(0, others.length).map(resultOf) as string[];
}

/**
 * Mines what is ready in the pool, with the system storage that the engine does not write by itself.
 * @param timestamp Unix seconds
 * @param parent the newest block, where it is known
 */
export async function mineBlock(
  engine: RpcClient,
  timestamp: number,
  parent?: RpcBlockHeader,
): Promise<{ block: ForkBlock; header: RpcBlockHeader }> {
  const head = parent ?? (await headerOf(engine, 'latest'));
  const calls = systemCalls({
    ...head,
    number: toQuantity(BigInt(head.number) + 1n),
    timestamp: toQuantity(timestamp),
    parentHash: head.hash,
    // The engine's own blocks have no other.
    ...(head.parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot: toWord(0) }),
  });
  const answers = await requestEach(engine, [
    ...calls,
    { method: 'evm_setNextBlockTimestamp', params: [timestamp] },
    { method: 'evm_mine_detailed', params: [] },
  ]);
  const [mined] = answers.at(-1) as MinedBlock[];
  if (!mined || Number(mined.timestamp) !== timestamp) {
    throw new Error(`the engine mined no block at ${timestamp}`);
  }
  const transactions = mined.transactions.map(({ hash }) => hash);
  return {
    block: { number: Number(mined.number), timestamp: Number(mined.timestamp), transactions },
    header: mined,
  };
}

/** Mines blocks at once, `interval` seconds apart; the system storage is as it should be behind the last of them. */
export async function mineBlocks(
  engine: RpcClient,
  blocks: number,
  interval: number,
): Promise<void> {
  await engine.request('anvil_mine', [toQuantity(blocks), toQuantity(interval)]);
  const last = Number((await headerOf(engine, 'latest')).number);
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

const headerOf = async (engine: RpcClient, block: string): Promise<Header> =>
  (await engine.request('eth_getBlockByNumber', [block, false])) as Header;

import type { RpcClient } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import type { RpcBlockHeader } from '../ethereum/types';
import type { BlockSettings } from './snapshots';

/** A block of the fork with the hashes of its transactions. */
export interface ForkBlock {
  number: number;
  /** Unix seconds */
  timestamp: number;
  transactions: readonly string[];
}

type Answer = RpcBlockHeader & { transactions: readonly string[] };

const toForkBlock = ({ number, timestamp, transactions }: Answer): ForkBlock => ({
  number: Number(number),
  timestamp: Number(timestamp),
  transactions,
});

export const newestBlock = async (engine: RpcClient): Promise<ForkBlock> =>
  toForkBlock((await engine.request('eth_getBlockByNumber', ['latest', false])) as Answer);

/** @returns the blocks from `first` to `last`, both included */
export async function blocksBetween(
  engine: RpcClient,
  first: number,
  last: number,
): Promise<ForkBlock[]> {
  const calls = Array.from({ length: last - first + 1 }, (_, i) => ({
    method: 'eth_getBlockByNumber',
    params: [toQuantity(first + i), false],
  }));
  const outcomes = await engine.requestAll(calls);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return toForkBlock(outcome.value as Answer);
  });
}

/** Cheap while the pool is empty: the engine executes what is in it to answer. */
export async function settingsOfNextBlock(engine: RpcClient): Promise<BlockSettings> {
  const { baseFeePerGas, gasLimit, miner, excessBlobGas } = (await engine.request(
    'eth_getBlockByNumber',
    ['pending', false],
  )) as RpcBlockHeader & { excessBlobGas?: string };
  return {
    gasLimit,
    miner,
    ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas }),
  };
}

export async function restoreSettings(engine: RpcClient, settings: BlockSettings): Promise<void> {
  await engine.request('anvil_setCoinbase', [settings.miner]);
  await engine.request('anvil_setBlockGasLimit', [settings.gasLimit]);
  if (settings.baseFeePerGas !== undefined) {
    await engine.request('anvil_setNextBlockBaseFeePerGas', [settings.baseFeePerGas]);
  }
}

/** What users set and no revert of the engine takes back: the distance of blocks, and impersonated accounts. */
export async function restoreCheats(
  engine: RpcClient,
  { interval }: { interval: number | undefined },
  impersonated: ReadonlySet<unknown>,
  before: ReadonlySet<unknown>,
): Promise<void> {
  await (interval === undefined
    ? engine.request('anvil_removeBlockTimestampInterval', [])
    : engine.request('anvil_setBlockTimestampInterval', [interval]));
  for (const account of [...impersonated].filter((one) => !before.has(one))) {
    await engine.request('anvil_stopImpersonatingAccount', [account]);
  }
  for (const account of [...before].filter((one) => !impersonated.has(one))) {
    await engine.request('anvil_impersonateAccount', [account]);
  }
}

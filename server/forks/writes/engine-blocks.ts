import { requestEach, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { RpcBlockHeader } from '../../ethereum/types';
import type { ClockState } from './fork-clock';

/** A block of the fork with the hashes of its transactions. */
export interface ForkBlock {
  number: number;
  /** Unix seconds */
  timestamp: number;
  transactions: readonly string[];
}

/** Settings of the next block that a revert of the engine does not restore. Quantities. */
export interface BlockSettings {
  baseFeePerGas?: string;
  /** Before EIP-1559. */
  minGasPrice?: string;
  gasLimit: string;
  miner: string;
  /** Before the merge, the first block of a fork has that of the fork point, and the others have none. */
  difficulty?: string;
  /** Derived from the block that was mined last; EIP-4844. */
  excessBlobGas?: string;
}

/** How many transactions blocks hold. */
export const countTransactions = (blocks: readonly ForkBlock[]): number =>
  blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);

type Answer = RpcBlockHeader & { transactions: readonly string[] };

const toForkBlock = ({ number, timestamp, transactions }: Answer): ForkBlock => ({
  number: Number(number),
  timestamp: Number(timestamp),
  transactions,
});

/** The engine's head. @throws RpcError, ApiError */
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
  return ((await requestEach(engine, calls)) as Answer[]).map(toForkBlock);
}

/** Cheap while the pool is empty: the engine executes what is in it to answer. */
export async function settingsOfNextBlock(engine: RpcClient): Promise<BlockSettings> {
  const { baseFeePerGas, gasLimit, miner, difficulty, excessBlobGas } = (await engine.request(
    'eth_getBlockByNumber',
    ['pending', false],
  )) as RpcBlockHeader & { excessBlobGas?: string };
  return {
    gasLimit,
    miner,
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(baseFeePerGas === undefined
      ? { minGasPrice: (await engine.request('eth_gasPrice', [])) as string }
      : { baseFeePerGas }),
    ...(excessBlobGas === undefined ? {} : { excessBlobGas }),
  };
}

/** Sets what has a method of its own; see `restoreNextBlock` for the rest. @throws RpcError, ApiError */
export async function restoreSettings(engine: RpcClient, settings: BlockSettings): Promise<void> {
  const { miner, gasLimit, baseFeePerGas, minGasPrice } = settings;
  const set = (method: string, value: string): RpcCall => ({ method, params: [value] });
  await requestEach(engine, [
    set('anvil_setCoinbase', miner),
    set('anvil_setBlockGasLimit', gasLimit),
    ...(baseFeePerGas === undefined ? [] : [set('anvil_setNextBlockBaseFeePerGas', baseFeePerGas)]),
    ...(minGasPrice === undefined ? [] : [set('anvil_setMinGasPrice', minGasPrice)]),
  ]);
}

/** @param interval seconds between blocks; undefined: as the clock says */
export async function restoreInterval(
  engine: RpcClient,
  interval: number | undefined,
): Promise<void> {
  await (interval === undefined
    ? engine.request('anvil_removeBlockTimestampInterval', [])
    : engine.request('anvil_setBlockTimestampInterval', [interval]));
}

/** The time of the pending block, which reads see; the blocks themselves get theirs when they are mined. */
export async function restoreTime(
  engine: RpcClient,
  { exact, ahead, interval }: ClockState,
): Promise<void> {
  await restoreInterval(engine, interval);
  if (exact !== undefined) await engine.request('evm_setNextBlockTimestamp', [exact]);
  else if (ahead > 0) await engine.request('evm_increaseTime', [ahead]);
}

/** Which accounts `eth_accounts` names: senders are accepted all the same. */
export async function restoreImpersonation(
  engine: RpcClient,
  impersonated: ReadonlySet<unknown>,
  before: ReadonlySet<unknown>,
): Promise<void> {
  for (const account of [...impersonated].filter((one) => !before.has(one))) {
    await engine.request('anvil_stopImpersonatingAccount', [account]);
  }
  for (const account of [...before].filter((one) => !impersonated.has(one))) {
    await engine.request('anvil_impersonateAccount', [account]);
  }
}

import { headOfEngine, type BlockWithHashes } from '../../evm/forms/block-header';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { ClockState } from './fork-clock';

/** A block of the fork with the hashes of its transactions. */
export interface ForkBlock {
  number: number;
  /** Unix seconds */
  timestamp: number;
  transactions: readonly string[];
}

/** Total number of transactions in the blocks. */
export const countTransactions = (blocks: readonly ForkBlock[]): number =>
  blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);

const toForkBlock = ({ number, timestamp, transactions }: BlockWithHashes): ForkBlock => ({
  number: Number(number),
  timestamp: Number(timestamp),
  transactions,
});

/** The engine's head. @throws RpcError, ApiError */
export const newestBlock = async (engine: RpcClient): Promise<ForkBlock> =>
  toForkBlock(await headOfEngine(engine));

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
  return ((await requestEach(engine, calls)) as BlockWithHashes[]).map(toForkBlock);
}

/** @param interval seconds between blocks; undefined: by the clock */
export const intervalCall = (interval: number | undefined): RpcCall =>
  interval === undefined
    ? { method: 'anvil_removeBlockTimestampInterval', params: [] }
    : { method: 'anvil_setBlockTimestampInterval', params: [interval] };

/** Calls that set the time of the pending block, which reads see. Mined blocks get their time when they are mined. */
export function timeCalls({ exact, ahead, interval }: ClockState): RpcCall[] {
  const calls = [intervalCall(interval)];
  if (exact !== undefined) calls.push({ method: 'evm_setNextBlockTimestamp', params: [exact] });
  else if (ahead > 0) calls.push({ method: 'evm_increaseTime', params: [ahead] });
  return calls;
}

/** Restores the engine's list of impersonated accounts. Other senders are accepted as well. */
export async function restoreImpersonation(
  engine: RpcClient,
  impersonated: ReadonlySet<string>,
  before: ReadonlySet<string>,
): Promise<void> {
  for (const account of [...impersonated].filter((one) => !before.has(one))) {
    await engine.request('anvil_stopImpersonatingAccount', [account]);
  }
  for (const account of [...before].filter((one) => !impersonated.has(one))) {
    await engine.request('anvil_impersonateAccount', [account]);
  }
}

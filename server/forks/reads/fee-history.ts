import { toQuantity } from '../../ethereum/quantity';
import { blockNumberOf, headOf } from './block-numbers';
import type { RunningFork } from './running-fork';

/** As of execution-apis; fields that a chain does not have are left out. */
interface FeeHistory {
  oldestBlock: string;
  /** One more than blocks: the last is the next block's. */
  baseFeePerGas: string[];
  gasUsedRatio: number[];
  baseFeePerBlobGas?: string[];
  blobGasUsedRatio?: number[];
  reward?: string[][] | null;
}

const MAX_FEE_HISTORY = 1_024;

/** `eth_feeHistory` over the fork point: up to 1,024 blocks. */
export async function readFeeHistory(
  fork: RunningFork,
  params: readonly unknown[],
): Promise<unknown> {
  const [wanted, newest, percentiles = []] = params;
  const asked = await blockNumberOf(fork, newest);
  const count = Math.min(Number(wanted), MAX_FEE_HISTORY);
  const { forkBlock } = fork;
  if (asked === undefined || asked <= forkBlock || !(count >= 1)) {
    return fork.engine.request('eth_feeHistory', params);
  }
  const last = Math.min(asked, headOf(fork));
  const first = Math.max(0, last - count + 1);
  const part = async (from: number, to: number): Promise<FeeHistory> =>
    (await (to <= forkBlock ? fork.upstream : fork.engine).request('eth_feeHistory', [
      toQuantity(to - from + 1),
      toQuantity(to),
      percentiles,
    ])) as FeeHistory;
  if (first > forkBlock || last <= forkBlock) return part(first, last);
  const [original, own] = await Promise.all([part(first, forkBlock), part(forkBlock + 1, last)]);
  return joined(original, own);
}

function joined(older: FeeHistory, newer: FeeHistory): FeeHistory {
  const blocks = older.gasUsedRatio.length;
  const { baseFeePerBlobGas, blobGasUsedRatio, reward } = older;
  return {
    oldestBlock: older.oldestBlock,
    baseFeePerGas: [...older.baseFeePerGas.slice(0, blocks), ...newer.baseFeePerGas],
    gasUsedRatio: [...older.gasUsedRatio, ...newer.gasUsedRatio],
    ...(baseFeePerBlobGas && newer.baseFeePerBlobGas
      ? {
          baseFeePerBlobGas: [...baseFeePerBlobGas.slice(0, blocks), ...newer.baseFeePerBlobGas],
        }
      : {}),
    ...(blobGasUsedRatio && newer.blobGasUsedRatio
      ? { blobGasUsedRatio: [...blobGasUsedRatio, ...newer.blobGasUsedRatio] }
      : {}),
    ...(reward && newer.reward ? { reward: [...reward, ...newer.reward] } : {}),
  };
}

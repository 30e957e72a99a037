import { requestEach, RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { blobGasPrice, maxBlobGas } from '../../execution/prefix/engine-blob-price';
import { blockNumberOf, headOf } from './block-numbers';
import type { RunningFork } from './running-fork';

/** Result as in execution-apis; fields that a chain does not have are omitted. */
interface FeeHistory {
  oldestBlock: string;
  /** One more than the number of blocks: the last is the next block's. */
  baseFeePerGas: string[];
  gasUsedRatio: number[];
  baseFeePerBlobGas?: string[];
  blobGasUsedRatio?: number[];
  reward?: string[][] | null;
}

/**
 * `eth_feeHistory` on both sides of the fork point: up to 1,024 blocks.
 * @throws RpcError -32000 beyond the head
 */
export async function readFeeHistory(
  fork: RunningFork,
  params: readonly unknown[],
): Promise<unknown> {
  const [wanted, newest, percentiles = []] = params;
  const asked = await blockNumberOf(fork, newest);
  const count = Math.min(Number(wanted), LIMITS.feeHistory);
  const { forkBlock } = fork;
  if (asked === undefined || asked <= forkBlock || !(count >= 1)) {
    return fork.engine.request('eth_feeHistory', params);
  }
  const head = headOf(fork);
  if (asked > head && newest !== 'pending') {
    throw new RpcError(
      RPC_CODES.invalidInput,
      `request beyond head block: requested ${asked}, head ${head}`,
    );
  }
  const last = Math.min(asked, head);
  const first = Math.max(0, last - count + 1);
  const part = (from: number, to: number): Promise<FeeHistory> => {
    const call = historyCall(from, to, percentiles);
    return to > forkBlock
      ? ownHistory(fork, call, from, to)
      : (fork.upstream.request(call.method, call.params) as Promise<FeeHistory>);
  };
  if (first > forkBlock || last <= forkBlock) return part(first, last);
  const [original, own] = await Promise.all([part(first, forkBlock), part(forkBlock + 1, last)]);
  return joined(original, own);
}

const historyCall = (from: number, to: number, percentiles: unknown): RpcCall => ({
  method: 'eth_feeHistory',
  params: [toQuantity(to - from + 1), toQuantity(to), percentiles],
});

/**
 * The fork's own blocks. The engine reports the price of its next block at the end of every range, uses blob prices from before Prague, and
 * divides blob gas by the number of blobs: the prices come from the blocks themselves.
 */
async function ownHistory(
  { engine, writer, hardfork }: RunningFork,
  call: RpcCall,
  first: number,
  last: number,
): Promise<FeeHistory> {
  const isNewest = last >= (writer.blocks.at(-1)?.number ?? last);
  const names = Array.from({ length: last - first + 1 }, (_, i) => toQuantity(first + i));
  const blocks = [...names, isNewest ? 'pending' : toQuantity(last + 1)].map((name) => ({
    method: 'eth_getBlockByNumber',
    params: [name, false],
  }));
  const [history, ...headers] = (await requestEach(engine, [call, ...blocks])) as [
    FeeHistory,
    ...RpcBlockHeader[],
  ];
  const hasBlobs = headers.every(({ excessBlobGas }) => excessBlobGas !== undefined);
  return {
    ...history,
    baseFeePerGas: headers.map(({ baseFeePerGas }) => baseFeePerGas ?? '0x0'),
    ...(hasBlobs
      ? {
          baseFeePerBlobGas: headers.map(({ excessBlobGas }) =>
            toQuantity(blobGasPrice(BigInt(excessBlobGas ?? '0x0'), hardfork)),
          ),
          blobGasUsedRatio: headers
            .slice(0, -1)
            .map(({ blobGasUsed }) => Number(blobGasUsed ?? '0x0') / maxBlobGas(hardfork)),
        }
      : {}),
  };
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

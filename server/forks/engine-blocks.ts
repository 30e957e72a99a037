import { RpcError, type RpcClient } from '../ethereum/json-rpc';
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

/** Of the `pending` block: what the engine does not take back with a revert. */
export async function settingsOfBlock(
  engine: RpcClient,
  block: 'latest' | 'pending',
): Promise<BlockSettings> {
  const { baseFeePerGas, gasLimit, miner } = (await engine.request('eth_getBlockByNumber', [
    block,
    false,
  ])) as RpcBlockHeader;
  return { gasLimit, miner, ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }) };
}

export async function restoreSettings(engine: RpcClient, settings: BlockSettings): Promise<void> {
  await engine.request('anvil_setCoinbase', [settings.miner]);
  await engine.request('anvil_setBlockGasLimit', [settings.gasLimit]);
  if (settings.baseFeePerGas !== undefined) {
    await engine.request('anvil_setNextBlockBaseFeePerGas', [settings.baseFeePerGas]);
  }
}

/**
 * The engine takes a transaction that its sender cannot pay for, or that fits into no block, and then leaves it out without a word.
 * @throws RpcError -32003 (EIP-1474: transaction rejected)
 */
export async function requireExecutable(engine: RpcClient, hash: string): Promise<void> {
  const transaction = (await engine.request('eth_getTransactionByHash', [hash])) as {
    from: string;
    value: string;
    gas: string;
    gasPrice?: string;
    maxFeePerGas?: string;
  } | null;
  if (!transaction) return;
  const { from, value, gas, maxFeePerGas, gasPrice = '0x0' } = transaction;
  const { gasLimit } = await settingsOfBlock(engine, 'latest');
  if (BigInt(gas) > BigInt(gasLimit)) {
    throw new RpcError(
      -32003,
      `gas is ${BigInt(gas)}, and the block gas limit ${BigInt(gasLimit)}`,
    );
  }
  const balance = BigInt((await engine.request('eth_getBalance', [from, 'latest'])) as string);
  const cost = BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas ?? gasPrice);
  if (balance >= cost) return;
  throw new RpcError(
    -32003,
    `insufficient funds for gas * price + value: ${from} has ${balance} wei and needs ${cost}; anvil_setBalance gives it more`,
  );
}

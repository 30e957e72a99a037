import { requestEach } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { RpcBlockHeader } from '../../ethereum/types';
import type { RunningFork } from './running-fork';

/**
 * `eth_gasPrice` in wei, as other nodes suggest it: the base fee of the next block plus the suggested tip. The engine accepts transactions
 * without a tip, so its price includes none. Before EIP-1559 the result is the engine's.
 */
export async function readGasPrice({ engine }: RunningFork): Promise<string> {
  const [price, tip, head] = (await requestEach(engine, [
    { method: 'eth_gasPrice', params: [] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])) as [string, string, RpcBlockHeader];
  if (head.baseFeePerGas === undefined) return price;
  return toQuantity(BigInt(price) + BigInt(tip));
}

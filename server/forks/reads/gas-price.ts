import { requestEach, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { RunningFork } from './running-fork';

const TIP: RpcCall = { method: 'eth_maxPriorityFeePerGas', params: [] };

/**
 * `eth_gasPrice` in wei, as other nodes suggest it: the base fee of the next block plus the suggested tip. The engine accepts transactions
 * without a tip, so its price includes none. Before EIP-1559 the result is the engine's.
 */
export async function readGasPrice(fork: RunningFork): Promise<string> {
  const [price, suggested, head] = (await requestEach(fork.engine, [
    { method: 'eth_gasPrice', params: [] },
    TIP,
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])) as [string, string, RpcBlockHeader];
  if (head.baseFeePerGas === undefined) return price;
  const tip = fork.writer.fees?.suggestedTip ?? suggested;
  return toQuantity(BigInt(price) + BigInt(tip));
}

/** `eth_maxPriorityFeePerGas` in wei: the engine's, except on the OP Stack, where a tip of the engine's is a thousand times the usual. */
export const readTip = async ({ engine, writer }: RunningFork): Promise<string> =>
  writer.fees?.suggestedTip ?? ((await engine.request(TIP.method, TIP.params)) as string);

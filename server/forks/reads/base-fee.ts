import { RpcError } from '../../evm/forms/json-rpc';
import type { RunningFork } from './running-fork';
import { RPC_CODES } from '../../api/rpc-codes';

/**
 * `eth_baseFee`: the base fee of the next block, in wei.
 * @throws RpcError -32000 on a chain before EIP-1559
 */
export async function readBaseFee({ engine }: RunningFork): Promise<string> {
  const pending = (await engine.request('eth_getBlockByNumber', ['pending', false])) as {
    baseFeePerGas?: string;
  };
  if (pending.baseFeePerGas !== undefined) return pending.baseFeePerGas;
  throw new RpcError(
    RPC_CODES.invalidInput,
    'the chain has no base fee: its rules are older than EIP-1559',
  );
}

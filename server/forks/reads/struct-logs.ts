import { RpcError } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../ethereum/types';
import { requireListable } from '../../replay/listed-steps';
import type { RunningFork } from './running-fork';

interface StructLogs {
  gas: number;
  failed: boolean;
}

/**
 * Instructions of a transaction made on the fork. The engine records none when it mines, and answers an empty list: so the transaction
 * is called again before its block, and answered where gas and outcome are those of its receipt.
 * @throws RpcError -32004 where it is not the first in its block, or the call comes to something else
 */
export async function traceOpcodes(
  fork: RunningFork,
  hash: unknown,
  options: unknown,
): Promise<unknown> {
  const { engine } = fork;
  const [transaction, receipt] = (await Promise.all([
    engine.request('eth_getTransactionByHash', [hash]),
    engine.request('eth_getTransactionReceipt', [hash]),
  ])) as [RpcTransaction, RpcReceipt | null];
  if (!receipt) throw new RpcError(-32000, `transaction ${String(hash)} is not mined yet`);
  if (Number(receipt.transactionIndex) > 0) throw unknown(hash, 'it is not the first in its block');
  const block = (await engine.request('eth_getBlockByNumber', [
    receipt.blockNumber,
    false,
  ])) as RpcBlockHeader;
  const call = callOf(transaction);
  const parent = toQuantity(Number(receipt.blockNumber) - 1);
  const params = [call, parent, { ...(options as object), blockOverrides: contextOf(block) }];
  await requireListable(engine, params);
  const traced = (await engine.request('debug_traceCall', params)) as StructLogs;
  const isSame =
    BigInt(traced.gas) === BigInt(receipt.gasUsed) && traced.failed === (receipt.status === '0x0');
  if (!isSame) throw unknown(hash, 'executing it again differs from its receipt');
  return traced;
}

function callOf(transaction: RpcTransaction): object {
  const { from, to, gas, value, input, accessList, authorizationList } = transaction;
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const price = Number(type ?? '0x0') < 2 ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas };
  return {
    ...{ from, gas, value, input, ...price },
    ...(to === null ? {} : { to }),
    ...(accessList ? { accessList } : {}),
    ...(authorizationList ? { authorizationList } : {}),
  };
}

const contextOf = (block: RpcBlockHeader): object => ({
  number: block.number,
  time: block.timestamp,
  gasLimit: block.gasLimit,
  coinbase: block.miner,
  ...(block.mixHash === undefined ? {} : { random: block.mixHash }),
  ...(block.baseFeePerGas === undefined ? {} : { baseFee: block.baseFeePerGas }),
});

const unknown = (hash: unknown, why: string): RpcError =>
  new RpcError(
    -32004,
    `the instructions of ${String(hash)} are not known: ${why}; callTracer and prestateTracer are available`,
  );

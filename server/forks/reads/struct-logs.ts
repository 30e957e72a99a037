import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { requireListable } from '../../execution/prefix/opcode-trace-bound';
import type { RunningFork } from './running-fork';
import { RPC_CODES } from '../../api/rpc-codes';

interface StructLogs {
  gas: number;
  failed: boolean;
}

/**
 * Instructions of a transaction made on the fork. The engine records none when it mines, and returns an empty list. The transaction is
 * therefore executed again as a call on the state before it. The result is returned if its gas and status match the receipt.
 * @throws RpcError -32004 if the execution differs from the receipt
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
  if (!receipt)
    throw new RpcError(RPC_CODES.invalidInput, `transaction ${String(hash)} is not mined yet`);
  const block = (await engine.request('eth_getBlockByNumber', [
    receipt.blockNumber,
    false,
  ])) as RpcBlockHeader;
  const call = callOf(transaction);
  const parent = toQuantity(Number(receipt.blockNumber) - 1);
  const isFirst = Number(receipt.transactionIndex) === 0;
  const stateOverrides = isFirst ? {} : await stateBefore(engine, hash);
  const replay = { stateOverrides, blockOverrides: contextOf(block) };
  const params = [call, parent, { ...(options as object), ...replay }];
  await requireListable(engine, params);
  const traced = (await engine.request('debug_traceCall', params)) as StructLogs;
  const isSame =
    BigInt(traced.gas) === BigInt(receipt.gasUsed) && traced.failed === (receipt.status === '0x0');
  if (!isSame) throw unknown(hash, 'executing it again differs from its receipt');
  return traced;
}

interface Account {
  balance?: string;
  nonce?: number;
  code?: string;
  storage?: Readonly<Record<string, string>>;
}

/** The state that a transaction touches after the earlier ones of its block, as overrides of the state before the block. */
async function stateBefore(engine: RpcClient, hash: unknown): Promise<object> {
  const params = [hash, { tracer: 'prestateTracer' }];
  const accounts = (await engine.request('debug_traceTransaction', params)) as Record<
    string,
    Account
  >;
  const overrides = Object.entries(accounts).map(
    ([address, { balance = '0x0', nonce = 0, code = '0x', storage = {} }]) =>
      [address, { balance, nonce: toQuantity(nonce), code, stateDiff: storage }] as const,
  );
  return Object.fromEntries(overrides);
}

function callOf(transaction: RpcTransaction): object {
  const { from, to, gas, value, input, accessList, authorizationList } = transaction;
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const price = Number(type ?? '0x0') < 2 ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas };
  return {
    from,
    gas,
    value,
    input,
    ...price,
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
    RPC_CODES.notSupported,
    `the instructions of ${String(hash)} are not available: ${why}; use callTracer or prestateTracer`,
  );

import { RPC_CODES } from '../../api/rpc-codes';
import { isMissing, type Fields } from '../../evm/forms/fields';
import { RpcError, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { Simulated } from '../../execution/prefix/block-executor';
import type { RunningFork } from '../reads/running-fork';
import {
  enginePriceAt,
  executeWithPrices,
  hasBlobPrices,
  isUnknownPrice,
  priceOfExcess,
} from './blob-base-fee';
import { callResult } from './call-results';

/**
 * The answer to `eth_call` on the pending block, or on an older block of the fork, with the price of blob gas of that block, which the
 * engine does not have.
 * @param answer the engine's, which may be a revert
 * @param block `pending` or the number as a quantity
 * @param time of the pending block, Unix seconds
 * @throws RpcError
 */
export async function withBlobPrice(
  fork: RunningFork,
  { params }: RpcCall,
  block: string,
  answer: Promise<unknown>,
  time?: number,
): Promise<unknown> {
  const failure = await answer.then(
    () => undefined,
    (error: unknown) => error,
  );
  // Only executed code can fail because of a price.
  if (failure !== undefined && !(failure instanceof RpcError)) return answer;
  try {
    return await priced(fork, { params }, block, answer, time);
  } catch (error) {
    // What the engine does not execute is not executed elsewhere either.
    if (failure !== undefined && isUnknownPrice(error)) return answer;
    throw error;
  }
}

async function priced(
  fork: RunningFork,
  { params }: Pick<RpcCall, 'params'>,
  block: string,
  answer: Promise<unknown>,
  time: number | undefined,
): Promise<unknown> {
  const { engine, blobGas, blobRules } = fork;
  if (!blobGas || !hasBlobPrices(fork)) return answer;
  const isPending = block === 'pending';
  const at = isPending ? 'latest' : block;
  const base = (await engine.request('eth_getBlockByNumber', [at, false])) as RpcBlockHeader;
  if (base.excessBlobGas === undefined) return answer;
  const seen = isPending
    ? ((await engine.request('eth_getBlockByNumber', ['pending', false])) as RpcBlockHeader)
    : base;
  const price = isPending
    ? BigInt((await engine.request('eth_blobBaseFee', [])) as string)
    : priceOfExcess(blobRules, blobGas.excessOf(base), BigInt(base.timestamp));
  const [call, , state, given] = params as (Fields | null | undefined)[];
  const header = overridden(
    time === undefined ? seen : { ...seen, timestamp: toQuantity(time) },
    isMissing(given) ? {} : given,
  );
  const own = isMissing(call) ? {} : call;
  const gas = isMissing(own['gas']) ? BigInt(header.gasLimit) : BigInt(own['gas'] as string);
  const one = { call: own, gas, header, price, overrides: isMissing(state) ? {} : state };
  const executed = await executeWithPrices(fork, base, [one], await enginePriceAt(fork, block));
  return executed?.[0] ? outputOf(executed[0], gas) : answer;
}

/** Members of block overrides, by their names in headers. */
const NAMES: Readonly<Record<string, keyof RpcBlockHeader>> = {
  number: 'number',
  time: 'timestamp',
  gasLimit: 'gasLimit',
  difficulty: 'difficulty',
  coinbase: 'miner',
  feeRecipient: 'miner',
  random: 'mixHash',
  prevRandao: 'mixHash',
  baseFee: 'baseFeePerGas',
  baseFeePerGas: 'baseFeePerGas',
};

function overridden(header: RpcBlockHeader, overrides: Fields): RpcBlockHeader {
  const changed: Record<string, unknown> = { ...header };
  for (const [name, value] of Object.entries(overrides)) {
    const member = NAMES[name];
    if (member !== undefined && !isMissing(value)) changed[member] = value;
  }
  return changed as unknown as RpcBlockHeader;
}

function outputOf({ calls, receipt }: Simulated, gas: bigint): unknown {
  const { output = '0x' } = calls.answer as { output?: string };
  const { status = '0x0', gasUsed } = receipt;
  const { error } = callResult({ returnData: output, gasUsed, status, logs: [] }, gas, []);
  if (error === undefined) return output;
  const { code, message, data } = error as { code: number; message: string; data?: string };
  throw new RpcError(code === 3 ? code : RPC_CODES.executionFailed, message, data);
}

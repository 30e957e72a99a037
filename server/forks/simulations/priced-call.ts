import { RPC_CODES } from '../../api/rpc-codes';
import { isMissing, type Fields } from '../../evm/forms/fields';
import { isSince } from '../../evm/forms/hardfork-order';
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
  unknownPrice,
} from './blob-base-fee';
import { callResult } from './call-results';

/**
 * The answer to a call on the pending block, or on an older block of the fork, with the price of blob gas of that block, which the engine
 * does not have. `eth_call` and `eth_estimateGas` are executed with that price; what else reads it is refused.
 * @param answer the engine's, which may be a revert
 * @param block `pending` or the number as a quantity
 * @param time of the pending block, Unix seconds
 * @throws RpcError
 */
export async function withBlobPrice(
  fork: RunningFork,
  call: RpcCall,
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
    return await priced(fork, call, block, answer, time);
  } catch (error) {
    // What the engine does not execute is not executed elsewhere either.
    if (failure !== undefined && isUnknownPrice(error)) return answer;
    throw error;
  }
}

async function priced(
  fork: RunningFork,
  call: RpcCall,
  block: string,
  answer: Promise<unknown>,
  time: number | undefined,
): Promise<unknown> {
  const { engine, blobGas, blobRules, hardfork } = fork;
  if (!blobGas || !hasBlobPrices(fork) || !isSince(hardfork, 'cancun')) return answer;
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
  const { call: own, block: given, state } = overridesOf(call);
  const header = overridden(
    time === undefined ? seen : { ...seen, timestamp: toQuantity(time) },
    given,
  );
  const one = { call: own, gas: gasOf(own, header), header, price, overrides: state };
  const enginePrice = await enginePriceAt(fork, block);
  const execute = async (gas: bigint): Promise<Simulated | undefined> =>
    (await executeWithPrices(fork, base, [{ ...one, gas }], enginePrice))?.[0];
  const executed = await execute(one.gas);
  if (!executed) return answer;
  if (call.method === 'eth_call') return outputOf(executed, one.gas);
  if (call.method !== 'eth_estimateGas') {
    throw unknownPrice(`${call.method} has no other executor; eth_call has`);
  }
  outputOf(executed, one.gas);
  return toQuantity(await estimate(executed, one.gas, execute));
}

const gasOf = (call: Fields, header: RpcBlockHeader): bigint =>
  isMissing(call['gas']) ? BigInt(header.gasLimit) : BigInt(call['gas'] as string);

/** The call and what it overrides; `debug_traceCall` has the overrides among its options. */
function overridesOf({ method, params }: RpcCall): Record<'call' | 'state' | 'block', Fields> {
  const [call, , third, fourth] = params as (Fields | null | undefined)[];
  const fields = (given: unknown): Fields => (isMissing(given) ? {} : (given as Fields));
  const options = fields(third);
  return method === 'debug_traceCall'
    ? {
        call: fields(call),
        state: fields(options['stateOverrides']),
        block: fields(options['blockOverrides']),
      }
    : { call: fields(call), state: options, block: fields(fourth) };
}

/** An estimate is at most so many thousandths above the least gas that suffices, as in go-ethereum. */
const ESTIMATE_TOLERANCE = 15n;

/**
 * The least gas with which a call succeeds, or slightly more.
 * @param executed the call with `limit` gas, with which it succeeds
 */
async function estimate(
  executed: Simulated,
  limit: bigint,
  execute: (gas: bigint) => Promise<Simulated | undefined>,
): Promise<bigint> {
  const suffices = async (gas: bigint): Promise<boolean> =>
    BigInt((await execute(gas))?.receipt.status ?? '0x0') === 1n;
  const used = BigInt(executed.receipt.gasUsed);
  let [below, enough] = [used - 1n, limit];
  const middle = (): bigint => (below + enough) / 2n;
  // Most calls need little more than they use: what refunds give back, and the 1/64 that calls keep (EIP-150).
  let next = (used * 65n) / 64n;
  if (next >= enough) next = middle();
  while (enough - below > 1n && (enough - below) * 1_000n > enough * ESTIMATE_TOLERANCE) {
    if (await suffices(next)) enough = next;
    else below = next;
    next = middle();
  }
  return enough;
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

import type { Hex } from '../../api/primitives';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { Fields } from '../../evm/forms/fields';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { Simulated } from '../../execution/prefix/block-executor';
import { GAS_PER_BLOB, nextExcessBlobGas } from '../../evm/rules/blob-price';
import type { RunningFork } from '../reads/running-fork';
import {
  enginePriceAt,
  executeWithPrices,
  hasBlobPrices,
  priceOfExcess,
  unknownPrice,
  type PricedCall,
} from './blob-base-fee';
import type { EngineCall } from './call-results';
import type { PlannedBlock } from './plan';

interface Simulation {
  /** The block that the simulation starts from, with the excess of the chain's rules. */
  readonly base: Fields;
  /** Its number as a quantity. */
  readonly block: string;
  /** What the engine was asked. */
  readonly request: Fields;
}

/**
 * The results of simulated calls with the price of blob gas of each block.
 * @param results those of the engine, which has one price for all blocks
 * @returns the same if no call reads the price
 * @throws RpcError if that is unknown
 */
export async function withBlobPrices(
  fork: RunningFork,
  planned: readonly PlannedBlock[],
  { base, block, request }: Simulation,
  results: EngineCall[][],
): Promise<EngineCall[][]> {
  if (base['excessBlobGas'] === undefined || !hasBlobPrices(fork)) return results;
  const headers = headersOf(fork, planned, base);
  const calls = planned.flatMap((one, index) => callsOf(fork, one, headers[index]));
  const enginePrice = await enginePriceAt(fork, block);
  const header = base as unknown as RpcBlockHeader;
  const executed = await executeWithPrices(fork, header, calls, enginePrice);
  if (!executed) return results;
  if (request['traceTransfers'] === true) throw unknownPrice('with traceTransfers');
  let at = 0;
  return planned.map(({ calls: own }) => {
    const part = executed.slice(at, (at += Math.max(own.length, 1)));
    return own.length === 0 ? [] : part.map(resultOf);
  });
}

/** Headers with the excess of each block (EIP-4844, EIP-7918). */
function headersOf(
  { blobRules }: RunningFork,
  planned: readonly PlannedBlock[],
  base: Fields,
): RpcBlockHeader[] {
  let parent = base as unknown as RpcBlockHeader;
  return planned.map((one) => {
    const blobs = one.calls.reduce(
      (sum, { blobVersionedHashes = [] }) => sum + (blobVersionedHashes as unknown[]).length,
      0,
    );
    const header: RpcBlockHeader = {
      number: toQuantity(one.number),
      hash: toWord(0),
      parentHash: parent.hash,
      timestamp: toQuantity(one.time),
      miner: one.feeRecipient as Hex,
      gasLimit: toQuantity(one.gasLimit),
      gasUsed: '0x0',
      difficulty: '0x0',
      mixHash: toWord(BigInt(one.prevRandao)),
      baseFeePerGas: toQuantity(one.baseFeePerGas ?? 0n),
      excessBlobGas: toQuantity(nextExcessBlobGas(blobRules, parent, Number(one.time)) ?? 0n),
      blobGasUsed: toQuantity(BigInt(blobs) * GAS_PER_BLOB),
    };
    parent = header;
    return header;
  });
}

/** A block without calls may still override the state of later ones. */
const NO_CALL = { to: `0x${'0'.repeat(40)}` };

function callsOf(
  { blobRules }: RunningFork,
  { calls, gas, stateOverrides, time }: PlannedBlock,
  header: RpcBlockHeader | undefined,
): PricedCall[] {
  if (!header) return [];
  const price = priceOfExcess(blobRules, BigInt(header.excessBlobGas ?? '0x0'), time);
  const given = calls.length === 0 ? [NO_CALL] : calls;
  return given.map((call, index) => ({
    call,
    gas: calls.length === 0 ? 21_000n : (gas[index] ?? 0n),
    header,
    price,
    overrides: index === 0 ? stateOverrides : {},
  }));
}

function resultOf({ calls, receipt }: Simulated): EngineCall {
  const { output = '0x' } = calls.answer as { output?: string };
  const { gasUsed, status = '0x0', logs } = receipt;
  return { returnData: output, gasUsed, status, logs };
}

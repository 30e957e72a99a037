import type { Hash } from '../../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { BEACON_ROOTS, HISTORY_STORAGE } from '../../evm/rules/system-contracts';

const RING_LENGTH = 8191n;

/** A block header as returned by nodes: `requestsHash` exists since Prague (EIP-7685). */
type Header = RpcBlockHeader & { requestsHash?: Hash };

/**
 * Calls that make an engine's next block a copy of `block` in everything that transactions can read, except PREVRANDAO, which no call sets.
 */
function blockContextCalls(block: Header): RpcCall[] {
  const calls: RpcCall[] = [
    { method: 'anvil_setCoinbase', params: [block.miner] },
    { method: 'anvil_setBlockGasLimit', params: [block.gasLimit] },
    { method: 'evm_setNextBlockTimestamp', params: [block.timestamp] },
  ];
  if (block.baseFeePerGas !== undefined) {
    calls.push({ method: 'anvil_setNextBlockBaseFeePerGas', params: [block.baseFeePerGas] });
  }
  return calls.concat(systemCalls(block));
}

/** Calls that write what the system writes at the start of a block. The engine omits these writes, so they are made before the block. */
export function systemCalls(
  block: Pick<
    Header,
    'number' | 'timestamp' | 'parentHash' | 'parentBeaconBlockRoot' | 'requestsHash'
  >,
): RpcCall[] {
  const calls: RpcCall[] = [];
  if (block.parentBeaconBlockRoot !== undefined) {
    const time = BigInt(block.timestamp);
    calls.push(
      store(BEACON_ROOTS, time % RING_LENGTH, toWord(time)),
      store(BEACON_ROOTS, (time % RING_LENGTH) + RING_LENGTH, block.parentBeaconBlockRoot),
    );
  }
  if (block.requestsHash !== undefined) {
    const parent = BigInt(block.number) - 1n;
    calls.push(store(HISTORY_STORAGE, parent % RING_LENGTH, block.parentHash));
  }
  return calls;
}

/** @throws the engine's errors */
export async function enterBlock(
  engine: RpcClient,
  block: RpcBlockHeader,
  signal?: AbortSignal,
): Promise<void> {
  await requestEach(engine, blockContextCalls(block), { signal });
}

const store = (address: string, slot: bigint, value: string): RpcCall => ({
  method: 'anvil_setStorageAt',
  params: [address, toQuantity(slot), value],
});

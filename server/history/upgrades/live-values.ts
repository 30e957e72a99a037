import type { StorageLayout } from '../../analysis/storage-layout';
import type { Address, Hex } from '../../api/primitives';
import { DEFAULT_LANGUAGE } from '../../debugger/languages/languages';
import { answers } from '../../evm/forms/batch-answers';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { toWord } from '../../evm/forms/quantity';
import type { Place } from './layout-differences';

/** The storage of an account after a block. */
export interface LiveStorage {
  readonly rpc: RpcClient;
  readonly address: Address;
  readonly tag: Hex;
}

/**
 * Values of variables as they are now: of value types as the language writes them, of others the word of their slot.
 * @returns one for each place; undefined where the node does not answer
 */
export async function liveValues(
  { rpc, address, tag }: LiveStorage,
  layout: StorageLayout,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<(string | undefined)[]> {
  const valueOf = DEFAULT_LANGUAGE.slotValues(layout);
  const calls = places.map(({ slot }) => ({
    method: 'eth_getStorageAt',
    params: [address, toWord(slot), tag],
  }));
  const words = await answers(rpc, calls, signal);
  return places.map(({ offset, type: id }, index) => {
    const word = words[index];
    if (typeof word !== 'string') return undefined;
    return valueOf(id, offset, BigInt(word)) ?? toWord(BigInt(word));
  });
}

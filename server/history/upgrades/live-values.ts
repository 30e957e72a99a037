import type { StorageLayout } from '../../analysis/storage-layout';
import type { Address, Hex } from '../../api/primitives';
import { LayoutTypes } from '../../debugger/languages/solidity/variables/layout-types';
import { isReference } from '../../debugger/languages/solidity/values/types';
import { fromPacked, wordFault, wordText } from '../../debugger/languages/solidity/values/words';
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
 * Values of variables as they are now: of value types as Solidity writes them, of others the word of their slot.
 * @returns one for each place; undefined where the node does not answer
 */
export async function liveValues(
  { rpc, address, tag }: LiveStorage,
  layout: StorageLayout,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<(string | undefined)[]> {
  const types = new LayoutTypes(layout);
  const calls = places.map(({ slot }) => ({
    method: 'eth_getStorageAt',
    params: [address, toWord(slot), tag],
  }));
  const words = await answers(rpc, calls, signal);
  return places.map(({ offset, type: id }, index) => {
    const word = words[index];
    if (typeof word !== 'string') return undefined;
    const type = types.of(id);
    if (!type || isReference(type)) return toWord(BigInt(word));
    const value = fromPacked(type, BigInt(word) >> BigInt(offset * 8));
    return wordFault(type, value) === undefined ? wordText(type, value) : toWord(BigInt(word));
  });
}

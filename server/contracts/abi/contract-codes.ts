import { LRUCache } from 'lru-cache';
import type { IdentifyRequest, Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import { answers } from '../../evm/forms/batch-answers';
import { toQuantity } from '../../evm/forms/quantity';

const CACHED_CHARACTERS = 50_000_000;

/** Code of accounts as of a block. The cache uses the block's hash, which identifies its state. */
export class ContractCodes {
  readonly #cache = new LRUCache<string, Hex>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (code, key) => code.length + key.length,
  });

  /** Code before the block, or after it if there was none before. Omits accounts for which the node does not answer. */
  async read(
    network: Network,
    addresses: readonly Address[],
    { number, hash }: IdentifyRequest['block'],
    signal: AbortSignal,
  ): Promise<Map<Address, Hex>> {
    const codes = new Map<Address, Hex>();
    const key = (address: Address): string => [network.key, hash, address].join();
    for (const address of addresses) {
      const known = this.#cache.get(key(address));
      if (known !== undefined) codes.set(address, known);
    }
    let open = addresses.filter((address) => !codes.has(address));
    for (const height of new Set([number === 0n ? 0n : number - 1n, number])) {
      const read = await codesAt(network, open, height, signal);
      for (const [address, code] of read) {
        codes.set(address, code);
        if (code !== '0x' || height === number) this.#cache.set(key(address), code);
      }
      open = open.filter((address) => (codes.get(address) ?? '0x') === '0x');
    }
    return codes;
  }
}

async function codesAt(
  network: Network,
  addresses: readonly Address[],
  height: bigint,
  signal: AbortSignal,
): Promise<[Address, Hex][]> {
  const calls = addresses.map((address) => ({
    method: 'eth_getCode',
    params: [address, toQuantity(height)],
  }));
  const read = await answers(network.rpc, calls, signal);
  return addresses.flatMap((address, index): [Address, Hex][] => {
    const code = read[index];
    return isCode(code) ? [[address, code.toLowerCase() as Hex]] : [];
  });
}

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value);

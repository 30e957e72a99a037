import type { Network } from '../analysis/ports';
import type { Address, Hex } from '../api/primitives';
import { toQuantity } from '../ethereum/quantity';
import { answers } from './batch-answers';

/**
 * Code of the accounts as it was in the block: in front of it, or where there was none, after it. What a node does not answer is left out.
 */
export async function readCodes(
  network: Network,
  addresses: readonly Address[],
  block: bigint,
  signal: AbortSignal,
): Promise<Map<Address, Hex>> {
  const codes = new Map<Address, Hex>();
  const before = block === 0n ? 0n : block - 1n;
  for (const height of new Set([before, block])) {
    const asked = addresses.filter((address) => (codes.get(address) ?? '0x') === '0x');
    const read = await answers(
      network,
      asked.map((address) => ({
        method: 'eth_getCode',
        params: [address, toQuantity(height)],
      })),
      signal,
    );
    for (const [index, address] of asked.entries()) {
      const code = read[index];
      if (isCode(code)) codes.set(address, code.toLowerCase() as Hex);
    }
  }
  return codes;
}

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);

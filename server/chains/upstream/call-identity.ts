import type { RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { BLOCK_LOOKUP, BLOCK_PARAMETER } from './block-lookups';
import { callText } from './response-location';

const HASH = /^0x[0-9a-f]{64}$/i;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
/** Position of a slot among the parameters. */
const SLOT = 1;

/**
 * Returns the same text for calls that ask for the same: a block by its number and by its hash, and a slot with zeros before it and
 * without.
 * @param numberOf number of a block by its hash, hex quantity; undefined where it is not known
 */
export function callIdentity(
  call: RpcCall,
  numberOf: (hash: string) => string | undefined,
): string {
  const { method, params } = call;
  const plain = [...params];
  const at = [BLOCK_PARAMETER, BLOCK_LOOKUP].find((table) => Object.hasOwn(table, method))?.[
    method
  ];
  if (at !== undefined) plain[at] = plainBlock(params[at], numberOf);
  if (method === 'eth_getStorageAt') plain[SLOT] = plainSlot(params[SLOT]);
  return callText({ method, params: plain });
}

function plainBlock(block: unknown, numberOf: (hash: string) => string | undefined): unknown {
  if (typeof block === 'object' && block !== null) {
    const { blockHash, blockNumber } = block as Record<string, unknown>;
    const inner = blockHash ?? blockNumber;
    const plain = plainBlock(inner, numberOf);
    return plain === inner && blockHash !== undefined ? { blockHash } : plain;
  }
  if (typeof block !== 'string' || !HASH.test(block)) return block;
  return numberOf(block.toLowerCase()) ?? { blockHash: block.toLowerCase() };
}

const plainSlot = (slot: unknown): unknown =>
  typeof slot === 'string' && QUANTITY.test(slot) ? toQuantity(BigInt(slot)) : slot;

import { keccak256 } from 'ethers';
import { LRUCache } from 'lru-cache';

/** Inputs of more bytes are not kept: those of mappings have 64. */
const MAX_KEPT_BYTES = 128;
const known = new LRUCache<string, bigint>({ max: 4_000 });

/** Keccak-256 of some bytes. Executions repeat their short inputs, so their hashes are kept. */
export function hashOf(bytes: Uint8Array): bigint {
  if (bytes.length > MAX_KEPT_BYTES) return BigInt(keccak256(bytes));
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const found = known.get(key);
  if (found !== undefined) return found;
  const hash = BigInt(keccak256(bytes));
  known.set(key, hash);
  return hash;
}

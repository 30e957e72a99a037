import { encodeRlp, keccak256, type RlpStructuredData } from 'ethers';
import type { Hash, Hex } from '../../api/primitives';

interface Entry {
  /** One digit per nibble of the key. */
  path: readonly number[];
  value: Hex;
}

/**
 * Root of the Merkle Patricia trie that maps `rlp(index)` to each value: the transactions root, the receipts root and the withdrawals
 * root of a header (yellow paper, 4.3 and appendix D).
 * @param values encoded as in EIP-2718
 */
export function orderedTrieRoot(values: readonly Hex[]): Hash {
  const entries = values.map((value, index) => ({
    path: nibblesOf(encodeRlp(index === 0 ? '0x' : evenHex(index))),
    value,
  }));
  return keccak256(encodeRlp(nodeOf(entries, 0))) as Hash;
}

function nodeOf(entries: readonly Entry[], depth: number): RlpStructuredData {
  const [first] = entries;
  if (!first) return '0x';
  if (entries.length === 1) return [compact(first.path.slice(depth), true), first.value];
  const shared = sharedDepth(entries, depth);
  if (shared > depth) {
    return [compact(first.path.slice(depth, shared), false), reference(nodeOf(entries, shared))];
  }
  const branches = Array.from({ length: 16 }, (_, nibble) => {
    const below = entries.filter(({ path }) => path[depth] === nibble);
    return below.length === 0 ? '0x' : reference(nodeOf(below, depth + 1));
  });
  return [...branches, entries.find(({ path }) => path.length === depth)?.value ?? '0x'];
}

function sharedDepth(entries: readonly Entry[], from: number): number {
  const [first, ...others] = entries;
  let depth = from;
  while (
    first?.path[depth] !== undefined &&
    others.every(({ path }) => path[depth] === first.path[depth])
  ) {
    depth++;
  }
  return depth;
}

/** A node of less than 32 bytes is embedded in its parent; a longer one is referenced by its hash. */
function reference(node: RlpStructuredData): RlpStructuredData {
  const encoded = encodeRlp(node);
  return encoded.length < 2 + 64 ? node : keccak256(encoded);
}

/** Hex-prefix encoding (yellow paper, appendix C). */
function compact(nibbles: readonly number[], isLeaf: boolean): Hex {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2);
  const padded = nibbles.length % 2 === 1 ? [flag, ...nibbles] : [flag, 0, ...nibbles];
  return `0x${padded.map((nibble) => nibble.toString(16)).join('')}`;
}

const nibblesOf = (hex: string): number[] =>
  Array.from(hex.slice(2), (digit) => parseInt(digit, 16));

function evenHex(value: number): Hex {
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`;
}

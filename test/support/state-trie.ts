import { decodeRlp, keccak256, type RlpStructuredData } from 'ethers';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import { toWord } from '../../server/evm/forms/quantity';

export interface TrieAccount {
  nonce: number;
  balance: bigint;
  storageRoot: Hash;
  codeHash: Hash;
}

/** Of an empty tree, and of empty code. */
export const EMPTY_ROOT: Hash =
  '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_CODE: Hash = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** A part of the state that is not at hand. */
export class StateMissing extends Error {}

/** Reads accounts, slots and code from nodes of a state's Merkle Patricia tree. Every node is found by its hash, so the root proves them. */
export class StateTrie {
  /** @param values nodes and codes by their hash, without `0x` */
  constructor(
    readonly values: ReadonlyMap<string, Uint8Array>,
    readonly root: Hash,
  ) {}

  /** @returns undefined if it does not exist @throws StateMissing */
  account(address: Address): TrieAccount | undefined {
    const found = this.#find(this.root, address);
    if (found === undefined) return undefined;
    const [nonce, balance, storageRoot, codeHash] = decodeRlp(found) as [Hex, Hex, Hash, Hash];
    return { nonce: Number(numberOf(nonce)), balance: numberOf(balance), storageRoot, codeHash };
  }

  /** @throws StateMissing */
  slot(address: Address, slot: Hash): Hash {
    const root = this.account(address)?.storageRoot ?? EMPTY_ROOT;
    const found = root === EMPTY_ROOT ? undefined : this.#find(root, slot);
    return toWord(found === undefined ? 0n : numberOf(decodeRlp(found) as Hex));
  }

  /** @throws StateMissing */
  code(address: Address): Hex {
    const { codeHash = NO_CODE } = this.account(address) ?? {};
    return codeHash === NO_CODE ? '0x' : this.#value(codeHash);
  }

  #value(hash: string): Hex {
    const value = this.values.get(hash.slice(2));
    if (!value) throw new StateMissing(`missing trie node ${hash}`);
    return `0x${Buffer.from(value).toString('hex')}`;
  }

  #find(root: Hash, key: Hex): Hex | undefined {
    let path = keccak256(key).slice(2);
    let node = decodeRlp(this.#value(root));
    for (;;) {
      const parts = node as readonly RlpStructuredData[];
      let next: RlpStructuredData;
      if (parts.length === 17) {
        next = parts[parseInt(path[0]!, 16)]!;
        path = path.slice(1);
      } else {
        const { nibbles, isLeaf } = compact(parts[0] as Hex);
        if (!path.startsWith(nibbles)) return undefined;
        path = path.slice(nibbles.length);
        if (isLeaf) return path === '' ? (parts[1] as Hex) : undefined;
        next = parts[1]!;
      }
      if (next === '0x') return undefined;
      // A node of fewer than 32 bytes is contained in its parent.
      node = typeof next === 'string' ? decodeRlp(this.#value(next)) : next;
    }
  }
}

/** Hex-prefix encoding of the yellow paper. */
function compact(encoded: Hex): { nibbles: string; isLeaf: boolean } {
  const flag = parseInt(encoded[2]!, 16);
  return { nibbles: encoded.slice(flag % 2 === 1 ? 3 : 4), isLeaf: flag >= 2 };
}

const numberOf = (bytes: Hex): bigint => (bytes === '0x' ? 0n : BigInt(bytes));

import type { Address, Hash, Hex } from '../../server/api/primitives';

/** What a pasted text may mean. `chain` is the slug of a chain, where the text names one. */
export type Meaning =
  | { kind: 'transaction'; hash: Hash; chain?: string }
  /** 32 bytes: hash of a transaction or a block, or the first topic of an event. */
  | { kind: 'word'; word: Hash; chain?: string }
  | { kind: 'address'; address: Address; chain?: string }
  /** Of ENS. */
  | { kind: 'name'; name: string; chain?: string }
  /** A number, hash, tag or time, as the service takes it. */
  | { kind: 'block'; block: string; chain?: string }
  | { kind: 'selector'; selector: Hex }
  | { kind: 'topic'; topic: Hash }
  /** Of a function, an event or an error. */
  | { kind: 'signature'; signature: string }
  /** Call data or revert data. */
  | { kind: 'data'; data: Hex }
  | { kind: 'rawTransaction'; raw: Hex; hash: Hash };

/** A chain that texts can name. */
export interface KnownChain {
  slug: string;
  chainId: number;
  blockExplorerUrl?: string | undefined;
}

/** The meaning with its chain, where it can have one. */
export function onChain(meaning: Meaning, chain: string | undefined): Meaning {
  if (chain === undefined) return meaning;
  switch (meaning.kind) {
    case 'selector':
    case 'signature':
    case 'data':
    case 'topic':
    case 'rawTransaction':
      return meaning;
    default:
      return { ...meaning, chain };
  }
}

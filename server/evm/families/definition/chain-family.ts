import type { ExecutedHardfork } from '../../forms/hardfork-order';

/** Start of a rule: a block number, or a time in Unix seconds. */
export type Start = { readonly block: number } | { readonly time: number };

/** `note`: how the chain's rules differ from those of the hardfork until the next activation. */
export interface Activation {
  readonly hardfork: ExecutedHardfork;
  readonly start: Start;
  readonly note?: string;
}

/** The hardforks of a chain. */
export interface ChainRules {
  /** The last day, in UTC, for which the entry was compared with its sources: `YYYY-MM-DD`. */
  readonly checked: string;
  /** Oldest first. */
  readonly activations: readonly Activation[];
  /** Whether the chain adds rules of its own to those of Ethereum. */
  readonly isOwn: boolean;
  /** Start of P256VERIFY at 0x100 by RIP-7212, where it is before Osaka. */
  readonly p256?: Start;
}

/** A precompiled contract, by the number of its address. */
export type NamedPrecompile = readonly [address: bigint, name: string];

/** What is known of one chain. A field is left out where the chain follows Ethereum, or where nothing is known. */
export interface KnownChain {
  readonly rules?: ChainRules;
  /** Differences from Ethereum that engines do not implement, as a sentence. Forks work, except in these respects. */
  readonly differences?: string;
  /** Whether gas is counted differently: with a part for the parent chain, or for another virtual machine. */
  readonly hasOwnGas?: boolean;
  /** Contracts that engines do not execute: a call of one succeeds without an effect. */
  readonly precompiles?: readonly NamedPrecompile[];
  /** Most gas of one transaction since Osaka, where it is not that of EIP-7825. */
  readonly maxTransactionGas?: number;
}

/** Chains with the same rules and forms. Each family has a folder. */
export interface ChainFamily {
  /** By chain id. */
  readonly chains: ReadonlyMap<number, KnownChain>;
  /** Fields that its nodes add to headers, between blanks. None changes how an engine executes a transaction. */
  readonly headerFields?: string;
}

/** The last day on which the entries were compared with their sources, where they say no other. */
export const CHECKED = '2026-11-29';

export const atBlock = (
  hardfork: Activation['hardfork'],
  block: number,
  note?: string,
): Activation =>
  note === undefined ? { hardfork, start: { block } } : { hardfork, start: { block }, note };

/** @param time Unix seconds */
export const atTime = (hardfork: Activation['hardfork'], time: number): Activation => ({
  hardfork,
  start: { time },
});

import type { ExecutedHardfork } from '../forms/hardfork-order';
import type { Cheats } from './cheats';

/** The block that an execution sees. */
export interface BlockEnvironment {
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
  readonly coinbase: string;
  readonly gasLimit: bigint;
  /** Wei; 0 before EIP-1559. */
  readonly baseFee: bigint;
  /** PREVRANDAO since the merge, DIFFICULTY before. */
  readonly random: bigint;
  /** Wei; 0 before EIP-4844. */
  readonly blobBaseFee: bigint;
  /** EIP-7843; 0 before. */
  readonly slot: bigint;
  /** Of the blocks that BLOCKHASH asked for, by number. */
  readonly hashes: ReadonlyMap<bigint, bigint>;
}

/** The transaction that is executed. Amounts in wei. */
export interface TransactionEnvironment {
  readonly from: string;
  /** null for a creation */
  readonly to: string | null;
  readonly value: bigint;
  readonly input: Uint8Array;
  readonly gas: number;
  /** What the sender pays for a unit of gas. */
  readonly gasPrice: bigint;
  readonly accessList: readonly { readonly address: string; readonly slots: readonly bigint[] }[];
  readonly blobHashes: readonly bigint[];
  /** Accounts that authorizations make warm, in order, with the code that each sets (EIP-7702). Undefined: it takes no effect. */
  readonly delegations: readonly {
    readonly authority: string;
    readonly code: Uint8Array | undefined;
  }[];
  /** Charged before the first instruction. */
  readonly intrinsicGas: number;
}

export interface Environment {
  readonly chainId: bigint;
  readonly hardfork: ExecutedHardfork;
  /** Addresses of precompiled contracts, in lower case. */
  readonly precompiles: readonly string[];
  readonly block: BlockEnvironment;
  readonly transaction: TransactionEnvironment;
  readonly precompile: Precompiles;
  /** Of an execution that the rules alone do not explain. */
  readonly cheats?: Cheats;
}

/** How a call of a precompiled contract ends. */
export interface PrecompileResult {
  readonly gasUsed: number;
  /** undefined: it failed, and took all of the gas */
  readonly output?: Uint8Array;
  /** The recorded execution did not call it in this way, or the call failed. */
  readonly isUnrecorded?: boolean;
}

/** @returns undefined where the account is not a precompiled contract @throws UnknownResult where it is, and nothing knows its result */
export type Precompiles = (
  address: string,
  input: Uint8Array,
  gas: number,
) => PrecompileResult | undefined;

/** The execution needs something that was not recorded with it. */
export class UnknownResult extends Error {
  override readonly name = 'UnknownResult';

  /** @param block the block whose hash is not known */
  constructor(
    message: string,
    readonly block: bigint,
  ) {
    super(message);
  }
}

import type { Network } from '../analysis/ports';
import type { ContractInterface } from '../analysis/contract-interface';
import type { Address, Hash, Hex } from '../api/primitives';

/** Where a look-up reports what it had to leave out. A pino logger is one. */
export interface Log {
  warn(fields: object, message: string): void;
}

/** A contract whose interface is wanted. */
export interface DeployedContract {
  readonly address: Address;
  /** As deployed; never `0x`. */
  readonly code: Hex;
}

export interface KnownContract {
  readonly name: string;
  readonly interface: ContractInterface;
}

/** Knows the interfaces of particular contracts. */
export interface ContractSource {
  /** Contracts that it does not know are left out. Never rejects but for the signal. */
  find(
    network: Network,
    contracts: readonly DeployedContract[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, KnownContract>>;
}

interface WantedSignatures {
  /** Of functions and errors. */
  readonly selectors: ReadonlySet<Hex>;
  /** Of events. */
  readonly topics: ReadonlySet<Hash>;
}

/** Knows signatures that are tied to no contract. */
export interface SignatureSource {
  /** Interfaces that may hold some of the wanted signatures, best first. Never rejects but for the signal. */
  candidates(wanted: WantedSignatures, signal: AbortSignal): Promise<readonly ContractInterface[]>;
}

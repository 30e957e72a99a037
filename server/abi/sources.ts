import type { Network } from '../analysis/ports';
import type { ContractInterface } from '../analysis/contract-interface';
import type { StorageLayout } from '../analysis/storage-layout';
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
  /** ABI-encoded, without `0x`, where the source tells them. */
  readonly constructorArguments?: string;
  readonly layout?: StorageLayout;
  /** Path of the artifact that it was recognised by. */
  readonly artifact?: string;
}

/** Knows what a user said of particular addresses. */
export interface GivenInterfaces {
  /** @param chains names that the network goes by. Never rejects. */
  givenBy(
    user: string,
    chains: readonly string[],
    addresses: Iterable<Address>,
  ): Promise<ReadonlyMap<Address, KnownContract>>;
}

/** Knows the interfaces of particular contracts. */
export interface ContractSource {
  /** Asks a service: not about networks that nobody but their owner knows. */
  readonly remote?: boolean;
  /** Contracts that it does not know are left out. Never rejects but for the signal. */
  find(
    network: Network,
    contracts: readonly DeployedContract[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, KnownContract>>;
}

export interface WantedSignatures {
  /** Of functions and errors. */
  readonly selectors: ReadonlySet<Hex>;
  /** Of events. */
  readonly topics: ReadonlySet<Hash>;
}

/** Knows signatures that are tied to no contract. */
export interface SignatureSource {
  /** Asks a service: only for what nobody else knows, and not about networks that nobody but their owner knows. */
  readonly remote?: boolean;
  /** Interfaces that may hold some of the wanted signatures, best first. Never rejects but for the signal. */
  candidates(wanted: WantedSignatures, signal: AbortSignal): Promise<readonly ContractInterface[]>;
}

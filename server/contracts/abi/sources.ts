import type { Network } from '../../analysis/ports';
import type { ContractInterface } from '../../analysis/contract-interface';
import type { StorageLayout } from '../../analysis/storage-layout';
import type { Address, Hash, Hex } from '../../api/primitives';

/** Receives reports about skipped data, such as a pino logger. */
export interface Log {
  warn(fields: object, message: string): void;
}

/** A contract whose interface is requested. */
export interface DeployedContract {
  readonly address: Address;
  /** Deployed code; never `0x`. */
  readonly code: Hex;
}

export interface KnownContract {
  readonly name: string;
  readonly interface: ContractInterface;
  /** ABI-encoded, without `0x`; undefined if the source does not contain them. */
  readonly constructorArguments?: string;
  readonly layout?: StorageLayout;
}

/** Source of the ABIs that users gave for particular addresses. */
export interface GivenInterfaces {
  /** @param chains keys of the network, in order of precedence. Never rejects. */
  givenBy(
    user: string,
    chains: readonly string[],
    addresses: Iterable<Address>,
  ): Promise<ReadonlyMap<Address, KnownContract>>;
}

/** Source of the interfaces of particular contracts. */
export interface ContractSource {
  /** The source sends requests to a service, so it is not used for private networks. */
  readonly remote?: boolean;
  /** Omits unknown contracts. Rejects only if the signal is aborted. */
  find(
    network: Network,
    contracts: readonly DeployedContract[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, KnownContract>>;
}

export interface WantedSignatures {
  /** Selectors of functions and errors. */
  readonly selectors: ReadonlySet<Hex>;
  /** First topics of events. */
  readonly topics: ReadonlySet<Hash>;
}

/** Source of signatures without a contract. */
export interface SignatureSource {
  /** The source sends requests to a service: only for unknown signatures, and not for private networks. */
  readonly remote?: boolean;
  /** Interfaces that may contain some of the wanted signatures, best first. Rejects only if the signal is aborted. */
  candidates(wanted: WantedSignatures, signal: AbortSignal): Promise<readonly ContractInterface[]>;
}

import { keccak256 } from 'ethers';
import * as z from 'zod';
import { abiItemSchema } from '../../api/abi';
import type { Address } from '../../api/primitives';
import { timeoutSignal } from '../../api/timeout-signal';
import { ContractInterface } from '../../analysis/contract-interface';
import type { Network } from '../../analysis/ports';
import { LookupCache, type LookupStore } from './lookup-cache';
import type { ContractSource, DeployedContract, KnownContract } from './sources';

const verifiedSchema = z.object({
  name: z.string(),
  abi: z.array(abiItemSchema),
  /** ABI-encoded, without `0x`; empty where unknown. */
  constructorArguments: z.string().default(''),
});
/** A contract with verified source. */
export type Verified = z.infer<typeof verifiedSchema>;

/** A service that publishes verified sources. */
export interface VerifiedLookup {
  readonly name: 'sourcify' | 'etherscan';
  /** @returns null: not verified there; undefined: no usable answer at present */
  find(
    chainId: number,
    address: Address,
    signal: AbortSignal,
  ): Promise<Verified | null | undefined>;
}

export interface VerifiedContractsOptions {
  lookup: VerifiedLookup;
  /** Folder of the cache; undefined: only in memory. */
  store: LookupStore | undefined;
  now?: (() => number) | undefined;
}

/** Time limit for all look-ups of one analysis together, in milliseconds. */
const TIMEOUT_MS = 4_000;
/** Short, since a contract may be verified at any time. */
const UNVERIFIED_LIFE_MS = 60 * 60 * 1_000;
/** Minimum length of code in characters. Delegating accounts and minimal proxies have no interface of their own. */
const MIN_CODE_LENGTH = 2 + 100 * 2;

/** Interfaces of verified contracts. Verified results never expire; they are cached by chain, address and code. */
export class VerifiedContracts implements ContractSource {
  readonly remote = true;
  readonly #cache: LookupCache<Verified | null>;

  constructor(private readonly options: VerifiedContractsOptions) {
    const { store, now } = options;
    this.#cache = new LookupCache({ store, schema: verifiedSchema.nullable(), now });
  }

  async find(
    network: Network,
    contracts: readonly DeployedContract[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Address, KnownContract>> {
    const { lookup } = this.options;
    const found = new Map<Address, KnownContract>();
    const deadline = AbortSignal.any([signal, timeoutSignal(TIMEOUT_MS)]);
    await Promise.all(
      contracts.map(async (contract) => {
        if (contract.code.length < MIN_CODE_LENGTH) return;
        const verified = await this.#look(network.chainId, contract, deadline).catch(() => null);
        if (!verified) return;
        const { name, abi, constructorArguments } = verified;
        found.set(contract.address, {
          name,
          interface: ContractInterface.fromAbi(abi, lookup.name),
          ...(constructorArguments === '' ? {} : { constructorArguments }),
        });
      }),
    );
    signal.throwIfAborted();
    return found;
  }

  async #look(
    chainId: number,
    { address, code }: DeployedContract,
    signal: AbortSignal,
  ): Promise<Verified | null | undefined> {
    const key = `${chainId}/${address}-${keccak256(code).slice(2, 18)}`;
    const cached = await this.#cache.get(key);
    if (cached !== undefined) return cached;
    const verified = await this.options.lookup.find(chainId, address, signal);
    if (verified !== undefined) {
      await this.#cache.set(key, verified, verified === null ? UNVERIFIED_LIFE_MS : undefined);
    }
    return verified;
  }
}

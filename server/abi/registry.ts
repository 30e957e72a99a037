import type {
  AbiSource,
  Contract,
  CreationCode,
  Identification,
  IdentifyRequest,
  Network,
} from '../analysis/ports';
import type { Address, Hex } from '../api/primitives';
import { ContractCodes } from './contract-codes';
import { findImplementations } from './proxies';
import type { ContractSource, KnownContract, SignatureSource } from './sources';

export interface AbiRegistryOptions {
  /** The most trustworthy first: what one knows, the next is not asked. */
  contracts: readonly ContractSource[];
  /** The most trustworthy first. */
  signatures: readonly SignatureSource[];
  findCreation: (initCode: Hex) => Promise<CreationCode | undefined>;
}

/** Brings together who knows the interfaces of contracts. */
export class AbiRegistry implements AbiSource {
  private readonly codes = new ContractCodes();

  constructor(private readonly options: AbiRegistryOptions) {}

  async identify(
    network: Network,
    request: IdentifyRequest,
    signal: AbortSignal,
  ): Promise<Identification> {
    const { deployed, block } = request;
    const existing = [...request.addresses].filter((address) => !deployed.has(address));
    const codes = new Map([
      ...deployed,
      ...(await this.codes.read(network, existing, block, signal)),
    ]);
    const implementations = await findImplementations(network, codes, block.number, signal);
    const behind = [...new Set(implementations.values())].filter((address) => !codes.has(address));
    for (const [address, code] of await this.codes.read(network, behind, block, signal)) {
      codes.set(address, code);
    }
    const [known, creations, ...candidates] = await Promise.all([
      this.find(network, codes, signal),
      this.creations(request.initCodes),
      ...this.options.signatures.map((source) => source.candidates(request, signal)),
    ]);
    const contracts = new Map<Address, Contract>();
    for (const [address, code] of codes) {
      const implementation = implementations.get(address);
      contracts.set(address, {
        code,
        ...known.get(address),
        ...(implementation === undefined ? {} : { implementation }),
      });
    }
    return { contracts, creations, signatures: candidates.flat() };
  }

  private async find(
    network: Network,
    codes: ReadonlyMap<Address, Hex>,
    signal: AbortSignal,
  ): Promise<Map<Address, KnownContract>> {
    const known = new Map<Address, KnownContract>();
    for (const source of this.options.contracts) {
      const wanted = [...codes].flatMap(([address, code]) =>
        code === '0x' || known.has(address) ? [] : [{ address, code }],
      );
      for (const [address, contract] of await source.find(network, wanted, signal)) {
        known.set(address, contract);
      }
    }
    return known;
  }

  private async creations(initCodes: ReadonlySet<Hex>): Promise<Map<Hex, CreationCode>> {
    const creations = new Map<Hex, CreationCode>();
    for (const initCode of initCodes) {
      const creation = await this.options.findCreation(initCode);
      if (creation) creations.set(initCode, creation);
    }
    return creations;
  }
}

import { ContractInterface } from '../../analysis/contract-interface';
import type { AbiSource, LabelSource, Network } from '../../analysis/ports';
import { storageLayouts, type LayoutSource } from '../../analysis/state/storage-layouts';
import type { BisectBody } from '../../api/bisect';
import { invalidField } from '../../api/errors';
import type { Address } from '../../api/primitives';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { ChainExpression } from '../expressions/chain-expression';
import type { ContractFacts } from '../../debugger/languages/port/contract-facts';

export interface ExpressionSourcePorts {
  readonly abis: AbiSource;
  readonly layouts: LayoutSource;
  readonly userLabels: LabelSource;
  /** Of widely used standards, for contracts whose own interface is not known. */
  readonly standards: () => readonly ContractInterface[];
}

type Given = Pick<BisectBody, 'expression' | 'contract' | 'names' | 'functions'>;

/** Expressions with what is known of the contracts that they name. */
export class ExpressionSource {
  constructor(private readonly ports: ExpressionSourcePorts) {}

  /**
   * @param network with the caller
   * @param block after which contracts are looked up
   * @throws ApiError `invalidField`
   */
  async of(
    network: Network,
    block: RpcBlockHeader,
    { expression, contract, names, functions }: Given,
    signal: AbortSignal,
  ): Promise<ChainExpression> {
    const given = ContractInterface.fromAbi(functions.map(requireSignature), 'user');
    const named = new Map([...(await this.#labels(network)), ...Object.entries(names)]);
    return new ChainExpression(expression, { self: contract, named }, (address) =>
      this.#factsOf(network, address, block, given, signal),
    );
  }

  /** The names that people gave to addresses, as far as an expression can write them. */
  async #labels({ user, key, chain = key, labels = {} }: Network): Promise<[string, Address][]> {
    const own = user === undefined ? {} : await this.ports.userLabels.labelsOf(user, [chain, key]);
    return Object.entries({ ...labels, ...own }).flatMap(([address, name]): [string, Address][] =>
      /^[A-Za-z_]\w*$/.test(name) ? [[name, address.toLowerCase() as Address]] : [],
    );
  }

  async #factsOf(
    network: Network,
    address: Address,
    { number, hash }: RpcBlockHeader,
    given: ContractInterface,
    signal: AbortSignal,
  ): Promise<ContractFacts> {
    const identify = (addresses: readonly Address[]) =>
      this.ports.abis.identify(
        network,
        {
          addresses: new Set(addresses),
          deployed: new Map(),
          initCodes: new Set(),
          selectors: new Set(),
          topics: new Set(),
          block: { number: BigInt(number), hash },
        },
        signal,
      );
    const first = await identify([address]);
    const { implementation, facets = [] } = first.contracts.get(address) ?? {};
    const targets = [...(implementation ? [implementation] : []), ...facets];
    const rest = targets.length > 0 ? await identify(targets) : undefined;
    const contracts = new Map([...first.contracts, ...(rest?.contracts ?? [])]);
    const known = { ...first, contracts };
    const layouts = await storageLayouts(this.ports.layouts, { network, known }, [address], signal);
    const own = [address, ...targets].flatMap((one) => {
      const found = contracts.get(one);
      return [found?.given, found?.interface].flatMap((item) => item ?? []);
    });
    return {
      address,
      name: contracts.get(implementation ?? address)?.name ?? '',
      interfaces: [given, ...own, ...this.ports.standards()],
      layouts: layouts.get(address) ?? [],
    };
  }
}

/** @throws ApiError `invalidField` */
function requireSignature(text: string): string {
  const written = /^\s*function\b/.test(text) ? text : `function ${text}`;
  const known = ContractInterface.fromAbi([written]);
  const name = /function\s+(\w+)/.exec(written)?.[1] ?? '';
  if (known.functionsNamed(name).length > 0) return written;
  throw invalidField(
    'functions',
    text,
    'signatures such as "function totalAssets() view returns (uint256)"',
  );
}

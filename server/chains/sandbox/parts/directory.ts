import { concat, getCreateAddress, Interface } from 'ethers';
import { ApiError } from '../../../api/errors';
import type { Address } from '../../../api/primitives';
import { lowerCase, type Accounts } from './accounts';
import type { CompiledContract, SandboxContracts } from './contracts';
import { DEPLOYMENTS, type ContractKey, type Deployment, type Directory } from './deployments';

interface Entry {
  deployment: Deployment;
  address: Address;
  /** Its own functions, then those of the code behind a proxy. */
  interfaces: Interface[];
}

/** Computes every address of the sandbox before the chain exists, and encodes calls to its contracts. */
export class SandboxDirectory implements Directory {
  readonly #entries = new Map<string, Entry>();

  constructor(
    readonly accounts: Accounts,
    private readonly compiled: SandboxContracts,
  ) {
    const nonces = new Map<string, number>();
    for (const [key, deployment] of Object.entries<Deployment>(DEPLOYMENTS)) {
      const from = accounts[deployment.by].address;
      const nonce = nonces.get(from) ?? 0;
      nonces.set(from, nonce + 1);
      this.#entries.set(key, {
        deployment,
        address: lowerCase(getCreateAddress({ from, nonce })),
        interfaces: [deployment.contract, deployment.answersAs ?? []]
          .flat()
          .map((name) => new Interface(contractOf(compiled, name).abi)),
      });
    }
  }

  readonly address = (name: string): Address => {
    if (Object.hasOwn(this.accounts, name)) {
      return lowerCase(this.accounts[name as keyof Accounts].address);
    }
    return this.#entry(name).address;
  };

  readonly encode = (key: string, method: string, args: readonly unknown[] = []): string => {
    const found = this.#entry(key).interfaces.find((methods) => methods.hasFunction(method));
    if (found === undefined) throw new Error(`contract ${key} of the sandbox has no ${method}`);
    return found.encodeFunctionData(method, args);
  };

  /** Target and call data of a contract call. */
  call(
    key: ContractKey,
    method: string,
    args: readonly unknown[] = [],
  ): { to: Address; data: string } {
    return { to: this.address(key), data: this.encode(key, method, args) };
  }

  /** Init code of a contract with its constructor arguments. */
  creation(key: ContractKey): { data: string } {
    const { contract, args } = this.#entry(key).deployment;
    return { data: this.initCode(contract, args?.(this)) };
  }

  /** Creation code with encoded constructor arguments, by the contract's name in the sources. */
  initCode(contract: string, args: readonly unknown[] = []): string {
    const { abi, bytecode } = contractOf(this.compiled, contract);
    return concat([bytecode, new Interface(abi).encodeDeploy(args)]);
  }

  /** Call data by the contract's name in the sources, for contracts without an address in the directory. */
  encodeAs(contract: string, method: string, args: readonly unknown[] = []): string {
    return new Interface(contractOf(this.compiled, contract).abi).encodeFunctionData(method, args);
  }

  /** Names of all accounts and contracts, by address. */
  labels(): Record<Address, string> {
    const accounts = Object.entries(this.accounts).map(
      ([name, { address }]) => [lowerCase(address), name] as const,
    );
    const contracts = [...this.#entries.values()].map(
      ({ address, deployment }) => [address, deployment.label] as const,
    );
    return Object.fromEntries([...accounts, ...contracts]);
  }

  /** Names of the compiled contracts by address. */
  contractNames(): Record<Address, string> {
    return Object.fromEntries(
      [...this.#entries.values()].map(({ address, deployment }) => [address, deployment.contract]),
    );
  }

  #entry(key: string): Entry {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new Error(`the sandbox has neither account nor contract ${key}`);
    return entry;
  }
}

function contractOf(compiled: SandboxContracts, name: string): CompiledContract {
  const contract = compiled[name];
  if (contract === undefined) {
    throw new ApiError('internal', `contract ${name} is missing in the compiled sandbox`);
  }
  return contract;
}

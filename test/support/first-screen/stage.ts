import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCreateAddress, Interface, Wallet, type TransactionLike } from 'ethers';
import type { Address, Hex } from '../../../server/api/primitives';
import { toQuantity } from '../../../server/evm/forms/quantity';
import type { TestChain } from '../../integration/fork-upstream';
import { compileOnce } from '../compile-once';

const FOLDER = join(__dirname, '../../fixtures/first-screen');

/** The compiler's output for one contract, as Foundry writes it. */
export interface Artifact {
  readonly abi: unknown[];
  readonly bytecode: { readonly object: string };
  readonly deployedBytecode: { readonly object: string };
  readonly storageLayout: unknown;
}

interface Output {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<
    string,
    Record<
      string,
      Pick<Artifact, 'abi' | 'storageLayout'> & {
        evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
      }
    >
  >;
}

/** All contracts of the fixture, compiled once. */
function compileStage(): Map<string, Artifact> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sol'));
  const output = JSON.parse(
    compileOnce({
      language: 'Solidity',
      sources: Object.fromEntries(
        files.map((file) => [file, { content: readFileSync(join(FOLDER, file), 'utf8') }]),
      ),
      settings: {
        outputSelection: {
          '*': { '*': ['abi', 'storageLayout', 'evm.bytecode', 'evm.deployedBytecode'] },
        },
      },
    }),
  ) as Output;
  const failed = output.errors?.find(({ severity }) => severity === 'error');
  if (failed) throw new Error(failed.formattedMessage);
  return new Map(
    Object.values(output.contracts).flatMap((contracts) =>
      Object.entries(contracts).map(([name, { abi, storageLayout, evm }]): [string, Artifact] => [
        name,
        {
          abi,
          storageLayout,
          bytecode: { object: `0x${evm.bytecode.object}` },
          deployedBytecode: { object: `0x${evm.deployedBytecode.object}` },
        },
      ]),
    ),
  );
}

const wallet = (byte: string): Wallet => new Wallet(`0x${byte.repeat(32)}`);

/** Accounts of the made transactions. */
export const CAST = {
  alice: wallet('a1'),
  bob: wallet('b0'),
  carol: wallet('ca'),
  mallory: wallet('3a'),
  victim: wallet('71'),
  dave: wallet('da'),
  deployer: wallet('de'),
} as const;

export const lower = ({ address }: { address: string }): Address =>
  address.toLowerCase() as Address;

/** A contract of the stage. */
export interface Deployed {
  readonly at: Address;
  readonly interface: Interface;
}

/** A chain with deployed contracts, and transactions of the cast. Each transaction is alone in its block. */
export class Stage {
  readonly #nonces = new Map<Wallet, number>();
  /** Names of contracts, by address. */
  readonly names = new Map<Address, string>();

  private constructor(
    private readonly chain: TestChain,
    private readonly artifacts: ReadonlyMap<string, Artifact>,
  ) {}

  static async open(chain: TestChain): Promise<Stage> {
    for (const { address } of Object.values(CAST)) {
      await chain.engine.rpc.request('anvil_setBalance', [address, toQuantity(10n ** 21n)]);
    }
    return new Stage(chain, compileStage());
  }

  artifact(contract: string): Artifact {
    const found = this.artifacts.get(contract);
    if (!found) throw new Error(`no contract ${contract} in ${FOLDER}`);
    return found;
  }

  creationOf(contract: string, ...values: readonly unknown[]): Hex {
    const { abi, bytecode } = this.artifact(contract);
    const words = new Interface(abi as string[]).encodeDeploy(values);
    return `${bytecode.object}${words.slice(2)}` as Hex;
  }

  /** Names a contract of the stage, or one that it will create. */
  known(name: string, at: Address, contract: string): Deployed {
    this.names.set(at, name);
    return { at, interface: new Interface(this.artifact(contract).abi as string[]) };
  }

  async deploy(
    name: string,
    contract: string,
    values: readonly unknown[] = [],
    by: Wallet = CAST.deployer,
  ): Promise<Deployed> {
    const nonce = this.nonceOf(by);
    await this.send(by, { data: this.creationOf(contract, ...values) });
    const at = lower({ address: getCreateAddress({ from: by.address, nonce }) });
    return this.known(name, at, contract);
  }

  /** Calls a contract in a block of its own. @returns the hash */
  call(
    by: Wallet,
    { at, interface: abi }: Deployed,
    method: string,
    ...values: unknown[]
  ): Promise<string> {
    return this.send(by, { to: at, data: abi.encodeFunctionData(method, values) });
  }

  nonceOf(by: Wallet): number {
    return this.#nonces.get(by) ?? 0;
  }

  /** Counts a nonce that an authorization of EIP-7702 used. */
  useNonce(by: Wallet): void {
    this.#nonces.set(by, this.nonceOf(by) + 1);
  }

  /** Sends a transaction, which is mined in a block of its own. @returns the hash */
  async send(by: Wallet, transaction: TransactionLike): Promise<string> {
    const hash = await this.chain.send(by, {
      gasLimit: 6_000_000,
      nonce: this.nonceOf(by),
      ...transaction,
    });
    this.useNonce(by);
    await this.chain.mine();
    return hash;
  }
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCreateAddress, Interface, type JsonFragment } from 'ethers';
import type { LocatedExecution } from '../../../../server/analysis/executed-transaction';
import type { CreationCode, Identification } from '../../../../server/analysis/ports';
import { ContractInterface } from '../../../../server/analysis/contract-interface';
import { atOnce } from '../../../../server/kernel/async/slices';
import type { Hex } from '../../../../server/api/primitives';
import type { Environment } from '../../../../server/evm/interpreter/environment';
import type { PrestateAccount } from '../../../../server/evm/interpreter/world';
import { Recording } from '../../../../server/debugger/recording/recording';
import type { Recorded } from '../../../../server/debugger/session/debugged-transaction';
import type {
  ContractProgram,
  ProgramSource,
} from '../../../../server/contracts/sources/program-source';
import {
  compileAll,
  type CompiledProgram,
  type CompiledPrograms,
  type Settings,
  type Version,
} from '../solidity';
import { precompilesOf } from '../../../../server/evm/rules/precompiles';

export type Argument = string | bigint | number | boolean | readonly Argument[];

/** A call of an account by its name, or a creation. Names of accounts stand for their addresses. */
type Transaction = { value?: bigint; from?: string } & (
  | { to: string; call: string; arguments?: readonly Argument[] }
  | { to: string; data: string }
  | { create: string; arguments?: readonly Argument[] }
);

/** As a compiler wrote it. */
export interface Artifact {
  abi: readonly JsonFragment[];
  /** Creation code, in hex digits. */
  bytecode: string;
}

/** What is there before the transaction that is debugged. */
export interface Scene {
  /** In `contracts/`; without it the contracts are those of `artifacts`. */
  file?: string;
  version?: Version;
  settings?: Settings;
  /** Contracts of other compilers by their names, whose source is not known. */
  artifacts?: Readonly<Record<string, Artifact>>;
  /** Contracts by the names of their accounts, with the arguments of their constructors. */
  deploy?: Readonly<Record<string, readonly [contract: string, ...Argument[]]>>;
  /** Libraries by the names of their accounts. */
  libraries?: Readonly<Record<string, string>>;
  /** Code that has no source, as hex digits. */
  codes?: Readonly<Record<string, string>>;
  /** Transactions before. */
  before?: readonly Transaction[];
  transaction: Transaction;
}

/** People, who have 100 ether each. The first one deploys the contracts. */
const PEOPLE = ['deployer', 'alice', 'bob', 'carol'] as const;
/** Storage that is known as a whole: what was never written is 0. */
class Storage extends Map<bigint, bigint> {
  override get(slot: bigint): bigint {
    return super.get(slot) ?? 0n;
  }
}

const addressOf = (index: number): string => `0x${(0xa0 + index).toString(16).repeat(20)}`;
const bytes = (hex: string): Uint8Array => Buffer.from(hex.replace(/^0x/, ''), 'hex');

/** Accounts, and the transactions that change them. */
export class Stage {
  /** Names by address. */
  readonly names = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #contracts: Record<string, CompiledPrograms>;
  readonly #artifacts: Readonly<Record<string, Artifact>>;
  #accounts = new Map<string, PrestateAccount>();

  constructor(private readonly scene: Scene) {
    const { file, version = '0.8.30', settings = {}, libraries = {}, codes = {} } = scene;
    this.#artifacts = scene.artifacts ?? {};
    for (const [index, name] of PEOPLE.entries()) this.#name(name, addressOf(index));
    const deployed = [...Object.keys(libraries), ...Object.keys(scene.deploy ?? {})];
    const from = addressOf(0);
    for (const [nonce, name] of deployed.entries()) {
      this.#name(name, getCreateAddress({ from, nonce }).toLowerCase());
    }
    for (const [index, [name, code]] of Object.entries(codes).entries()) {
      const address = addressOf(0x20 + index);
      this.#name(name, address);
      const nothing = { balance: 0n, nonce: 1, storage: new Storage() };
      this.#accounts.set(address, { ...nothing, code: bytes(code) });
    }
    const linked = Object.entries(libraries).map(
      ([name, library]) => [library, this.#addresses.get(name)!] as const,
    );
    this.#contracts = {};
    if (file !== undefined) {
      const text = readFileSync(join(__dirname, 'contracts', file), 'utf8');
      const own = { ...settings, libraries: { [file]: Object.fromEntries(linked) } };
      this.#contracts = compileAll(file, text, own, version);
    }
    const creations: Transaction[] = [
      ...Object.values(libraries).map((create) => ({ create })),
      ...Object.values(scene.deploy ?? {}).map(([create, ...values]) => ({
        create,
        arguments: values,
      })),
    ];
    for (const creation of [...creations, ...(scene.before ?? [])]) this.#execute(creation);
  }

  /** Records the transaction of the scene. */
  record(): { recorded: Recorded; programs: ProgramSource } {
    const recording = this.#record(this.scene.transaction);
    const contracts = new Map<string, unknown>();
    const creations = new Map<Hex, CreationCode>();
    const made = new Map<string, number>();
    for (const { context } of recording.frames) {
      if (context.kind === 'CREATE' || context.kind === 'CREATE2') {
        const hex = `0x${Buffer.from(context.code).toString('hex')}` as const;
        const found = this.#creationOf(context.code);
        if (found) creations.set(hex, found);
      }
      const code = recording.world.account(context.codeAddress).code;
      const found =
        Object.entries(this.#contracts).find(([, one]) => isSame(one.deployed, code)) ??
        this.#artifactAt(context.codeAddress) ??
        this.#artifactCreatedBy(context.code);
      if (!found) continue;
      const [name, { abi }] = found;
      const known = { name, interface: ContractInterface.fromAbi(abi) };
      contracts.set(context.codeAddress, known);
      if (this.names.has(context.address)) continue;
      const number = (made.get(name) ?? 0) + 1;
      made.set(name, number);
      this.names.set(context.address, `${name.toLowerCase()}${number}`);
    }
    const known: Identification = {
      contracts: contracts as Identification['contracts'],
      creations,
      signatures: [],
    };
    const root = { type: 'CALL', from: '0x', to: null, input: '0x', output: '0x', items: [] };
    const transaction = { from: '0x', to: null, value: '0x0', input: '0x', gas: '0x0' };
    const mined = { transaction, receipt: { blockHash: '0x' } };
    const located = { known, executed: { trace: { root }, mined } } as unknown as LocatedExecution;
    return {
      recorded: {
        located,
        recording,
        verification: { level: 'receipt' },
        inputs: { floor: 0 },
        point: { unavailable: 'there is no node' },
      } as unknown as Recorded,
      programs: {
        programOf: (_, { code, isCreation }) =>
          Promise.resolve(this.#programOf(bytes(code), isCreation)),
        unmappedOf: () => Promise.resolve(undefined),
        identityOf: () => Promise.resolve(undefined),
      },
    };
  }

  #name(name: string, address: string): void {
    this.names.set(address, name);
    this.#addresses.set(name, address);
    const balance = 100n * 10n ** 18n;
    const code = new Uint8Array(0);
    if (!(PEOPLE as readonly string[]).includes(name)) return;
    this.#accounts.set(address, { balance, nonce: 0, code, storage: new Storage() });
  }

  /** The artifact that an account was deployed with. */
  #artifactAt(address: string): [string, Artifact] | undefined {
    const [contract = ''] = this.scene.deploy?.[this.names.get(address) ?? ''] ?? [];
    const artifact = this.#artifacts[contract];
    return artifact && [contract, artifact];
  }

  #artifactCreatedBy(code: Uint8Array): [string, Artifact] | undefined {
    return Object.entries(this.#artifacts).find(([, { bytecode }]) =>
      begins(code, bytes(bytecode)),
    );
  }

  #creationOf(code: Uint8Array): CreationCode | undefined {
    const artifact = this.#artifactCreatedBy(code);
    if (artifact) {
      const [name, { abi, bytecode }] = artifact;
      const argumentsOffset = bytes(bytecode).length;
      return { name, interface: ContractInterface.fromAbi(abi), argumentsOffset };
    }
    const found = Object.entries(this.#contracts).find(([, one]) => isBegun(one.creation, code));
    if (!found) return undefined;
    const [name, { abi, creation }] = found;
    const argumentsOffset = creation.code.length;
    return { name, interface: ContractInterface.fromAbi(abi), argumentsOffset };
  }

  #programOf(code: Uint8Array, isCreation: boolean): ContractProgram | undefined {
    const found = Object.entries(this.#contracts).find(([, { deployed, creation }]) =>
      isCreation ? isBegun(creation, code) : isSame(deployed, code),
    );
    if (!found) return undefined;
    const [contractName, { deployed, creation }] = found;
    const { program } = isCreation ? creation : deployed;
    const { map, trees, layout, transientLayout, immutables, compiler } = program;
    const files = new Map(
      [...trees.keys()].flatMap((id) => {
        const text = program.text(id);
        return text ? [[id, text] as const] : [];
      }),
    );
    return {
      map,
      contractName,
      files,
      language: 'Solidity',
      origin: 'workspace',
      identity: '',
      text: (id) => files.get(id),
      compilerVersion: compiler!.version,
      optimizer: compiler!.optimizer,
      viaIR: compiler!.viaIR,
      ast: trees,
      storageLayout: layout,
      transientStorageLayout: transientLayout,
      immutableReferences: immutables,
      immutables: [],
    };
  }

  /** Executes a transaction and keeps the state after it. */
  #execute(transaction: Transaction): void {
    const { world, frames, stores, end } = this.#record(transaction);
    if (end?.kind !== 'returned') throw new Error(`failed: ${JSON.stringify(transaction)}`);
    const touched = frames.flatMap(({ context }) => [context.address, context.caller]);
    const accounts = new Map(this.#accounts);
    for (const address of new Set([...accounts.keys(), ...touched])) {
      const storage = new Storage(accounts.get(address)?.storage);
      for (const store of stores) {
        const isOwn = frames[store.frame]?.context.address === address;
        if (!isOwn || store.isTransient) continue;
        storage.set(store.slot, world.storage(address, store.slot));
      }
      accounts.set(address, { ...world.account(address), storage });
    }
    this.#accounts = accounts;
  }

  #record(transaction: Transaction): Recording {
    const { value = 0n, from = 'create' in transaction ? 'deployer' : 'alice' } = transaction;
    const sender = this.#addresses.get(from)!;
    const environment: Environment = {
      chainId: 1n,
      hardfork: 'prague',
      precompiles: precompilesOf('prague'),
      block: {
        number: 7n,
        timestamp: 1_700_000_000n,
        coinbase: sender,
        gasLimit: 30_000_000n,
        baseFee: 0n,
        random: 0n,
        blobBaseFee: 0n,
        slot: 0n,
        hashes: new Map(),
      },
      transaction: {
        from: sender,
        value,
        input: this.#input(transaction),
        gas: 5_000_000,
        gasPrice: 0n,
        to: 'to' in transaction ? this.#addresses.get(transaction.to)! : null,
        accessList: [],
        blobHashes: [],
        delegations: [],
        intrinsicGas: 21_000,
      },
      precompile: () => undefined,
    };
    const recording = new Recording(environment, { accounts: this.#accounts });
    atOnce(recording.work());
    return recording;
  }

  #input(transaction: Transaction): Uint8Array {
    if ('data' in transaction) return bytes(transaction.data);
    const values = (transaction.arguments ?? []).map((one) => this.#addressed(one));
    if ('create' in transaction) {
      const { create } = transaction;
      const { abi } = this.#contracts[create] ?? this.#artifacts[create]!;
      const code =
        this.#contracts[create]?.creation.code ?? bytes(this.#artifacts[create]!.bytecode);
      const encoded = new Interface(abi).encodeDeploy(values);
      return Buffer.concat([code, bytes(encoded)]);
    }
    const fragment = `function ${transaction.call}`;
    const [name = ''] = transaction.call.split('(');
    return bytes(new Interface([fragment]).encodeFunctionData(name, values));
  }

  #addressed(value: Argument): unknown {
    if (typeof value === 'string') return this.#addresses.get(value) ?? value;
    return Array.isArray(value) ? (value as Argument[]).map((one) => this.#addressed(one)) : value;
  }
}

/** Creation code, with the arguments of its constructor behind it. */
const isBegun = ({ code }: CompiledProgram, other: Uint8Array): boolean =>
  code.length > 0 && begins(other, code);

const begins = (code: Uint8Array, start: Uint8Array): boolean =>
  Buffer.from(code.subarray(0, start.length)).equals(start);

/** Deployed code differs from the compiler's in its immutables, and that of a library in its own address. */
function isSame({ code, program }: CompiledProgram, other: Uint8Array): boolean {
  if (code.length === 0 || code.length !== other.length) return false;
  const masked = (one: Uint8Array): Buffer => {
    const copy = Buffer.from(one);
    for (const { start, length } of Object.values(program.immutables ?? {}).flat()) {
      copy.fill(0, start, start + length);
    }
    if (copy[0] === 0x73) copy.fill(0, 1, 21);
    return copy;
  };
  return masked(code).equals(masked(other));
}

import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { abiItemSchema, type AbiItem, type GivenAbi } from '../../api/abi';
import { ApiError, invalidField } from '../../api/errors';
import type { Address } from '../../api/primitives';
import { ContractInterface, isReadable } from '../../analysis/contract-interface';
import { RecoverableFile } from '../../files/recoverable-file';
import { requireDamage } from '../../files/read-failures';
import { cleanLabel } from '../../abi/clean-text';
import { usable } from './storage-damaged';
import type { GivenInterfaces, KnownContract, Log } from '../../abi/sources';

const recordSchema = z.object({ contractName: z.string(), abi: z.array(abiItemSchema) });
type GivenRecord = z.infer<typeof recordSchema>;

/** User, chain and address that an ABI applies to. */
export interface GivenAbiKey {
  readonly user: string;
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  readonly address: Address;
}

/** ABIs that users gave for addresses: one file per ABI, in a folder per user. Only this user's analyses use them. */
export class GivenAbis implements GivenInterfaces {
  /** Cache of the files; undefined: no file exists. */
  private readonly known = new Map<string, Promise<GivenRecord | undefined>>();
  private readonly revisions = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  /**
   * Replaces the previous ABI of the address. Sets a damaged file of it aside.
   * @throws ApiError `invalidField` if no item can be parsed
   */
  async put(key: GivenAbiKey, contractName: string, abi: readonly AbiItem[]): Promise<GivenAbi> {
    if (!abi.some(isReadable)) {
      throw invalidField('abi', abi, 'a JSON ABI with at least one item that can be read');
    }
    const record = { contractName: cleanLabel(contractName), abi: [...abi] };
    const path = this.pathOf(key);
    const file = this.fileOf(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await file.read().catch((error: unknown) => {
      requireDamage(error);
      return file.setAside();
    });
    await file.write(JSON.stringify(record));
    this.known.set(path, Promise.resolve(record));
    this.change(key);
    await file.settled();
    return toAnswer(key, record);
  }

  /** @throws ApiError `abiNotFound`, `storageDamaged` */
  async get(key: GivenAbiKey): Promise<GivenAbi> {
    const record = await this.read(key);
    if (!record) throw notGiven(key);
    return toAnswer(key, record);
  }

  /** @throws ApiError `abiNotFound`, `storageDamaged` */
  async delete(key: GivenAbiKey): Promise<void> {
    if (!(await this.read(key))) throw notGiven(key);
    const path = this.pathOf(key);
    // In this order: a copy would restore a missing file.
    await this.fileOf(key).forget();
    await rm(path, { force: true });
    this.known.set(path, Promise.resolve(undefined));
    this.change(key);
  }

  /** Changes with every change of a user's ABIs. */
  revision(user: string): number {
    return this.revisions.get(user) ?? 0;
  }

  private change({ user }: GivenAbiKey): void {
    this.revisions.set(user, this.revision(user) + 1);
  }

  async givenBy(
    user: string,
    chains: readonly string[],
    addresses: Iterable<Address>,
  ): Promise<ReadonlyMap<Address, KnownContract>> {
    const found = new Map<Address, KnownContract>();
    await Promise.all(
      [...addresses].map(async (address) => {
        for (const chain of chains) {
          const record = await this.readable({ user, chain, address });
          if (!record) continue;
          const abi = ContractInterface.fromAbi(record.abi, 'user');
          found.set(address, { name: record.contractName, interface: abi });
          return;
        }
      }),
    );
    return found;
  }

  /** Ignores a damaged file, so that it decodes nothing. */
  private readable(key: GivenAbiKey): Promise<GivenRecord | undefined> {
    return this.read(key).catch((error: unknown) => {
      this.log.warn({ err: error }, 'an ABI that a user gave is ignored');
      return undefined;
    });
  }

  private read(key: GivenAbiKey): Promise<GivenRecord | undefined> {
    const path = this.pathOf(key);
    let record = this.known.get(path);
    if (!record) {
      // A repaired file is read again.
      record = usable(this.fileOf(key).read()).catch((error: unknown) => {
        this.known.delete(path);
        throw error;
      });
      this.known.set(path, record);
    }
    return record;
  }

  private fileOf(key: GivenAbiKey): RecoverableFile<GivenRecord> {
    return new RecoverableFile(this.pathOf(key), {
      parse: parseGivenAbi,
      name: `${key.user}/${key.chain}/${key.address}.json`,
      warn: this.log.warn.bind(this.log),
      keep: 1,
    });
  }

  private pathOf({ user, chain, address }: GivenAbiKey): string {
    return join(this.folder, user, chain, `${address}.json`);
  }
}

/** Parses the file of a given ABI. @throws ZodError, SyntaxError */
export const parseGivenAbi = (text: string): GivenRecord => recordSchema.parse(JSON.parse(text));

const notGiven = ({ chain, address }: GivenAbiKey): ApiError =>
  new ApiError('abiNotFound', `no ABI was given for ${address} on ${chain}`);

function toAnswer({ chain, address }: GivenAbiKey, { contractName, abi }: GivenRecord): GivenAbi {
  const readable = abi.filter(isReadable);
  const count = (type: AbiItem['type']): number =>
    readable.filter((item) => item.type === type).length;
  return {
    chain,
    address,
    contractName,
    functions: count('function'),
    events: count('event'),
    errors: count('error'),
    abi,
  };
}

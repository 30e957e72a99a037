import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { abiItemSchema, type AbiItem, type GivenAbi } from '../api/abi';
import { ApiError, invalidField } from '../api/errors';
import type { Address } from '../api/primitives';
import { ContractInterface, isReadable } from '../analysis/contract-interface';
import { cleanLabel } from './clean-text';
import type { GivenInterfaces, KnownContract } from './sources';

const recordSchema = z.object({ contractName: z.string(), abi: z.array(abiItemSchema) });
type GivenRecord = z.infer<typeof recordSchema>;

/** Where an ABI belongs. */
export interface AbiPlace {
  readonly user: string;
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  readonly address: Address;
}

/** ABIs that users gave for addresses: a file for each, below a folder of the user's. Nobody else's analyses use them. */
export class GivenAbis implements GivenInterfaces {
  /** Read once; undefined: there is none. */
  private readonly known = new Map<string, Promise<GivenRecord | undefined>>();

  constructor(private readonly folder: string) {}

  /** @throws ApiError `invalidField` where no item can be read */
  async put(place: AbiPlace, contractName: string, abi: readonly AbiItem[]): Promise<GivenAbi> {
    if (!abi.some(isReadable)) {
      throw invalidField('abi', abi, 'a JSON ABI with at least one item that can be read');
    }
    const record = { contractName: cleanLabel(contractName), abi: [...abi] };
    const path = this.pathOf(place);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFileAtomic(path, JSON.stringify(record), { mode: 0o600 });
    this.known.set(path, Promise.resolve(record));
    return toAnswer(place, record);
  }

  /** @throws ApiError `abiNotFound` */
  async get(place: AbiPlace): Promise<GivenAbi> {
    const record = await this.read(place);
    if (!record) throw notGiven(place);
    return toAnswer(place, record);
  }

  /** @throws ApiError `abiNotFound` */
  async delete(place: AbiPlace): Promise<void> {
    if (!(await this.read(place))) throw notGiven(place);
    const path = this.pathOf(place);
    await rm(path, { force: true });
    this.known.set(path, Promise.resolve(undefined));
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
          const record = await this.read({ user, chain, address });
          if (!record) continue;
          const abi = ContractInterface.fromAbi(record.abi, 'user');
          found.set(address, { name: record.contractName, interface: abi });
          return;
        }
      }),
    );
    return found;
  }

  private read(place: AbiPlace): Promise<GivenRecord | undefined> {
    const path = this.pathOf(place);
    let record = this.known.get(path);
    if (!record) this.known.set(path, (record = readRecord(path)));
    return record;
  }

  private pathOf({ user, chain, address }: AbiPlace): string {
    return join(this.folder, user, chain, `${address}.json`);
  }
}

async function readRecord(path: string): Promise<GivenRecord | undefined> {
  try {
    return recordSchema.safeParse(JSON.parse(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

const notGiven = ({ chain, address }: AbiPlace): ApiError =>
  new ApiError('abiNotFound', `no ABI was given for ${address} on ${chain}`);

function toAnswer({ chain, address }: AbiPlace, { contractName, abi }: GivenRecord): GivenAbi {
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

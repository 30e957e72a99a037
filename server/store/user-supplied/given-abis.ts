import { Fragment } from 'ethers';
import { ContractInterface, isReadable } from '../../analysis/contract-interface';
import { cleanLabel } from '../../contracts/abi/clean-text';
import type { GivenInterfaces, KnownContract, Log } from '../../contracts/abi/sources';
import type { AbiItem, GivenAbi, GivenAbiItem } from '../../api/abi';
import { ApiError, invalidField } from '../../api/errors';
import { abiItemSchema } from '../../api/abi';
import type { Address } from '../../api/primitives';
import type { GivenAbiKey, GivenAbiRecord, GivenAbiStore } from './records';

/** ABIs that users gave for addresses. Only this user's analyses use them. */
export class GivenAbis implements GivenInterfaces {
  constructor(
    private readonly store: GivenAbiStore,
    private readonly log: Log,
  ) {}

  /**
   * Replaces the previous ABI of the address.
   * @throws ApiError `invalidField` if no item can be parsed, or a declaration cannot
   */
  async put(
    key: GivenAbiKey,
    contractName: string,
    given: readonly GivenAbiItem[],
  ): Promise<GivenAbi> {
    const abi = given.map(parsedItem);
    if (!abi.some(isReadable)) {
      throw invalidField('abi', abi, 'a JSON ABI with at least one item that can be read');
    }
    const record = { contractName: cleanLabel(contractName), abi: [...abi] };
    await this.store.put(key, record);
    return toAnswer(key, record);
  }

  /** @throws ApiError `abiNotFound`, `storageDamaged` */
  async get(key: GivenAbiKey): Promise<GivenAbi> {
    const record = await this.store.find(key);
    if (!record) throw notGiven(key);
    return toAnswer(key, record);
  }

  /** @throws ApiError `abiNotFound`, `storageDamaged` */
  async delete(key: GivenAbiKey): Promise<void> {
    if (!(await this.store.delete(key))) throw notGiven(key);
  }

  /** Changes with every change of a user's ABIs. @throws ApiError `databaseUnavailable` */
  revision(user: string): Promise<string> {
    return this.store.revision(user);
  }

  async givenBy(
    user: string,
    chains: readonly string[],
    addresses: Iterable<Address>,
  ): Promise<ReadonlyMap<Address, KnownContract>> {
    const records = await this.store
      .findAll(user, chains, [...addresses])
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'the ABIs that a user gave are ignored');
        return new Map<Address, GivenAbiRecord>();
      });
    const known = [...records].map(([address, { contractName, abi }]) => {
      return [
        address,
        { name: contractName, interface: ContractInterface.fromAbi(abi, 'user') },
      ] as const;
    });
    return new Map(known);
  }
}

const notGiven = ({ chain, address }: GivenAbiKey): ApiError =>
  new ApiError('abiNotFound', `no ABI was given for ${address} on ${chain}`);

function toAnswer({ chain, address }: GivenAbiKey, record: GivenAbiRecord): GivenAbi {
  const { contractName, abi } = record;
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

/** @throws ApiError `invalidField` if a declaration cannot be parsed */
function parsedItem({ declaration, ...item }: GivenAbiItem, index: number): AbiItem {
  if (declaration === undefined) return item;
  try {
    const json = JSON.parse(Fragment.from(declaration).format('json')) as unknown;
    return abiItemSchema.parse(json);
  } catch {
    const accepted = 'a declaration such as "function f(uint256 x) view returns (bool)"';
    throw invalidField(`abi[${index}]`, declaration, accepted);
  }
}

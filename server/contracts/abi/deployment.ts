import type { JsonFragment } from 'ethers';
import * as z from 'zod';
import { addressSchema, type Address } from '../../api/primitives';

/** A contract that a project deployed, as its tools recorded it. */
export interface NotedContract {
  readonly address: Address;
  /** Name of the contract, or of the deployment if the tool lets the project choose one. */
  readonly name: string;
  /** Set if the record contains it. */
  readonly abi?: readonly JsonFragment[];
}

const name = z.string();
const abi = z.array(z.custom<JsonFragment>((item) => typeof item === 'object' && item !== null));

const called = z
  .object({ contractName: name, contractAddress: addressSchema })
  .transform(({ contractName, contractAddress }) => ({
    name: contractName,
    address: contractAddress,
  }));
const created = z
  .object({ contractName: name, address: addressSchema })
  .transform(({ contractName, address }) => ({ name: contractName, address }));
const broadcast = z.object({ transactions: z.array(z.unknown()) });
const withCreations = z.object({ additionalContracts: z.array(z.unknown()) });

/** `broadcast/<script>/<chain id>/run-latest.json` of `forge script`: contracts that were created or called, with names. */
export function readBroadcast(json: unknown): NotedContract[] {
  const transactions = broadcast.safeParse(json).data?.transactions ?? [];
  const creations = readable(transactions, withCreations).flatMap((one) => one.additionalContracts);
  return [...readable(transactions, called), ...readable(creations, created)];
}

const hardhatDeploy = z.object({ address: addressSchema, abi });

/**
 * `deployments/<network>/<name>.json` of hardhat-deploy.
 * @param deployment name of the file
 */
export function readHardhatDeploy(json: unknown, deployment: string): NotedContract[] {
  return readable([json], hardhatDeploy).map((one) => ({ ...one, name: deployment }));
}

const ignition = z.record(z.string(), z.unknown());

/** `ignition/deployments/chain-<chain id>/deployed_addresses.json` of Hardhat Ignition: `Module#Contract` -> address. */
export function readIgnition(json: unknown): NotedContract[] {
  return Object.entries(ignition.safeParse(json).data ?? {}).flatMap(([future, value]) => {
    const address = addressSchema.safeParse(value).data;
    const contract = future.slice(future.lastIndexOf('#') + 1);
    return address ? [{ address, name: contract }] : [];
  });
}

/** The readable items of a list: not every transaction refers to a named contract. */
const readable = <T>(items: readonly unknown[], schema: z.ZodType<T>): T[] =>
  items.flatMap((item) => {
    const { data } = schema.safeParse(item);
    return data === undefined ? [] : [data];
  });

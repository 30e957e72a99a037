import type { JsonFragment } from 'ethers';
import * as z from 'zod';
import { addressSchema, type Address } from '../api/primitives';

/** A contract that a project put on a chain, as its tools noted it. */
export interface NotedContract {
  readonly address: Address;
  /** Of the contract; of the deployment where the tool lets a project name it. */
  readonly name: string;
  /** Where the note holds it. */
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

/** `broadcast/<script>/<chain id>/run-latest.json` of `forge script`: what was created and called, by name. */
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

/** What can be read of a list: not every transaction is about a contract that has a name. */
const readable = <T>(items: readonly unknown[], schema: z.ZodType<T>): T[] =>
  items.flatMap((item) => {
    const { data } = schema.safeParse(item);
    return data === undefined ? [] : [data];
  });

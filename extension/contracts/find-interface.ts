import path from 'node:path';
import { ApiError } from '../../server/api/errors';
import type { ContractSource } from '../../server/api/contract-source';
import type { Fork } from '../../server/api/fork';
import { timeoutSignal } from '../../server/api/timeout-signal';
import { forkRpc } from '../../server/client/fork-rpc';
import { compiledContract } from '../build-output/compiled-contract';
import { buildOutputs } from '../build-output/workspace-artifacts';
import type { ApiClient } from '../model/api-client';
import type { ForkContract } from '../model/fork-contract';

type Interface = Pick<ForkContract, 'name' | 'abi'>;

const MAX_MS = 30_000;

/** The contract that a transaction of a fork created, if the workspace's build output has its code. */
export async function createdContract(
  client: ApiClient,
  fork: Fork,
  transaction: string,
): Promise<ForkContract | undefined> {
  const signal = timeoutSignal(MAX_MS);
  const address = await createdAddress(fork, transaction, signal);
  if (address === undefined) return undefined;
  const known = await workspaceInterface(client, fork.forkId, address, signal);
  return known && { ...known, address, transaction, origin: 'recognised' };
}

/** Address of the contract that a successful transaction created, lower case. */
export async function createdAddress(
  fork: Fork,
  transaction: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const receipt = (await forkRpc(fork, 'eth_getTransactionReceipt', [transaction], signal)) as {
    status?: string;
    contractAddress?: string | null;
  } | null;
  return receipt?.status === '0x1' ? receipt.contractAddress?.toLowerCase() : undefined;
}

/** The interface that the user gave for an address, else that of the workspace's contract with its code, or with its proxy's target. */
export async function interfaceOf(
  client: ApiClient,
  chain: string,
  address: string,
  signal: AbortSignal,
): Promise<Interface | undefined> {
  try {
    const given = await client.call('getAbi', { params: { chain, address } }, { signal });
    return { name: given.contractName, abi: given.abi };
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === 'abiNotFound')) throw error;
  }
  return workspaceInterface(client, chain, address, signal);
}

async function workspaceInterface(
  client: ApiClient,
  chain: string,
  address: string,
  signal: AbortSignal,
): Promise<Interface | undefined> {
  const params = { chain, address };
  const { source, implementation } = await client.call('getAddressSource', { params }, { signal });
  // A proxy's functions are those of its target.
  for (const one of [implementation?.source, source]) {
    const found = one && (await inBuildOutput(one));
    if (found) return found;
  }
  return undefined;
}

async function inBuildOutput({
  name,
  from,
  files,
}: ContractSource): Promise<Interface | undefined> {
  if (from !== 'workspace') return undefined;
  for (const output of await buildOutputs()) {
    for (const file of files) {
      const source = path.resolve(path.dirname(output), file.name);
      const compiled = await compiledContract({ source, contract: name }, [output]);
      if (compiled !== undefined) return { name, abi: compiled.abi };
    }
  }
  return undefined;
}

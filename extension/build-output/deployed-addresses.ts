import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { addressSchema } from '../../server/api/primitives';

/** Scripts and deployments of a project that are looked at. */
const MAX_FILES = 200;
const MAX_BYTES = 16 * 1024 * 1024;

/** Foundry: `broadcast/<script>/<chain id>/run-latest.json`. */
const broadcast = z.object({
  transactions: z.array(
    z.object({
      transactionType: z.string(),
      contractName: z.string().nullish(),
      contractAddress: z.string().nullish(),
    }),
  ),
});
/** Hardhat Ignition: `ignition/deployments/<id>/deployed_addresses.json`, by module and contract. */
const ignition = z.record(z.string(), z.string());

interface Deployments {
  /** The last one is the newest. */
  readonly addresses: readonly string[];
  readonly writtenMs: number;
}

/**
 * Where scripts of Foundry and Hardhat Ignition deployed a contract, newest first, in lower case. Files that cannot be read are left out.
 * @param projects their folders
 * @param chainIds of the chains that are meant
 */
export async function deployedAddresses(
  projects: readonly string[],
  contract: string,
  chainIds: readonly number[],
): Promise<string[]> {
  const found: Deployments[] = [];
  for (const project of projects) {
    const scripts = await namesIn(path.join(project, 'broadcast'));
    for (const chainId of chainIds) {
      for (const script of scripts) {
        const file = path.join(project, 'broadcast', script, String(chainId), 'run-latest.json');
        found.push(await read(file, (json) => createdBy(json, contract)));
      }
      const folder = path.join(project, 'ignition', 'deployments', `chain-${chainId}`);
      const file = path.join(folder, 'deployed_addresses.json');
      found.push(await read(file, (json) => ignitedBy(json, contract)));
    }
  }
  found.sort((a, b) => b.writtenMs - a.writtenMs);
  const all = found.flatMap(({ addresses }) => addresses.toReversed());
  const accepted = all.flatMap((address) => addressSchema.safeParse(address).data ?? []);
  return [...new Set(accepted)];
}

const createdBy = (json: unknown, contract: string): string[] =>
  (broadcast.safeParse(json).data?.transactions ?? []).flatMap((one) =>
    one.transactionType.startsWith('CREATE') && one.contractName === contract
      ? (one.contractAddress ?? [])
      : [],
  );

const ignitedBy = (json: unknown, contract: string): string[] =>
  Object.entries(ignition.safeParse(json).data ?? {}).flatMap(([id, address]) =>
    id.endsWith(`#${contract}`) ? address : [],
  );

async function read(file: string, addressesIn: (json: unknown) => string[]): Promise<Deployments> {
  try {
    const { size, mtimeMs: writtenMs } = await stat(file);
    if (size > MAX_BYTES) return { addresses: [], writtenMs: 0 };
    return { addresses: addressesIn(JSON.parse(await readFile(file, 'utf8'))), writtenMs };
  } catch {
    return { addresses: [], writtenMs: 0 }; // not deployed there, or written at this moment
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort().slice(0, MAX_FILES);
}

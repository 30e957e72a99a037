import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Hardhat 2 keeps answers of endpoints by their host and port, in the folder of a project. */
const CACHE = 'cache/hardhat-network-fork/rpc_cache';

/**
 * Removes what Hardhat has cached of an address of this process. Before a run, an earlier process may have had the same port: its answers
 * would hide reads. Afterwards, nobody uses the address again. Never rejects.
 */
export async function removeHardhatCache(project: string, { hostname, port }: URL): Promise<void> {
  const folder = join(project, CACHE, `${hostname}_${port}`);
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

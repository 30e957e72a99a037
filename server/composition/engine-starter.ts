import { join } from 'node:path';
import type { Logger } from 'pino';
import { findAnvil } from '../chains/engine/binary';
import { anvilStarter } from '../chains/engine/engine-process';
import type { EngineNetworks } from '../chains/engine/engine-networks';
import { socketFolder } from '../chains/engine/socket-folder';
import type { Config } from '../api/config';
import type { StartEngine } from '../evm/forms/engine';

/**
 * Starts engines. Searches for the binary at the first start, so that a service without one still serves requests that need no engine.
 * Repeats a failed search at the next start, because the user may have installed the binary since.
 */
export function createEngineStarter(
  dataDir: string,
  { anvilPath: configured, memoryMegabytes }: Config['engine'],
  networks: EngineNetworks,
  log: Logger,
): StartEngine {
  let found: Promise<StartEngine> | undefined;
  const find = async (): Promise<StartEngine> => {
    const { path, version, warning } = await findAnvil({ configured, path: process.env['PATH'] });
    if (warning !== undefined) log.warn({ version }, warning);
    const home = join(dataDir, 'engine');
    return anvilStarter({
      binary: path,
      home,
      newSocket: await socketFolder(join(home, 'sockets')),
      memoryBytes: Math.ceil(memoryMegabytes * 1024 * 1024),
      network: networks.current.bind(networks),
    });
  };
  return async (parameters, signal) => {
    found ??= find().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return (await found)(parameters, signal);
  };
}

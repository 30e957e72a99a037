import type { Logger } from 'pino';
import { openAccountServices, type AccountServices } from './account-services';
import { createApp } from './http/app';
import { createHostGuard } from './http/host-guard';
import { closeServer, listen } from './http/listen';
import { requestLimit } from './http/rate-limit';
import { createHttpServer } from './http/server';
import type { Options } from './options';
import { unwiredParts } from './parts';
import { keepAccessKeyFile } from './store/access-key-file';
import { DataDirectoryLock } from './store/data-directory';
import { VERSION } from './version';

/** The running service. */
export interface Services {
  /** Base URL on this machine. */
  url: string;
  accounts: AccountServices;
  /** Stops everything, in the reverse order of the start. Safe to call again. */
  stop(): Promise<void>;
}

/**
 * Composition root: builds every part by hand and starts the service. What was started is stopped again where a later step fails.
 * @throws DirectoryInUseError, and Error with a message for the user
 */
export async function startServices(options: Options, log: Logger): Promise<Services> {
  const stops: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (let next = stops.pop(); next; next = stops.pop()) {
      await next().catch((error: unknown) => {
        log.error({ err: error }, 'a part of the service did not stop cleanly');
      });
    }
  };
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= stopAll());
  try {
    return { ...(await start(options, log, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: Options,
  log: Logger,
  stops: (() => Promise<void>)[],
): Promise<Omit<Services, 'stop'>> {
  const { host, port, dataDir, config } = options;
  const lock = await DataDirectoryLock.acquire(dataDir);
  stops.push(() => lock.release());

  const parts = unwiredParts();
  const accounts = await openAccountServices({
    dataDir,
    projectLimit: config.limits.projectsPerUser,
    clock: () => new Date(),
    log,
    deleteForksOf: (projectId) => parts.forks.deleteAllOf(projectId),
  });
  stops.push(() => accounts.store.settled());
  if (options.localUser) await keepAccessKeyFile(dataDir, accounts.localUser);

  const app = createApp({
    ...accounts,
    ...parts,
    adminToken: lock.adminToken,
    health: { status: 'ok', version: VERSION, instance: lock.instance },
    requestsPerMinute: requestLimit(host, config.limits.requestsPerMinute),
    log,
  });
  const server = createHttpServer({
    app,
    rpcProxy: parts.rpcProxy,
    isOurHost: createHostGuard(options),
  });
  const url = await listen(server, host, port);
  stops.push(() => closeServer(server));
  await lock.publish(url);
  // From here on, who finds no answer at the address must not take the directory for free.
  stops.push(() => lock.publish(null));
  return { url, accounts };
}

import type { Logger } from 'pino';
import { byteLimits } from '../forks/address/fork-budgets';
import { ForkProxy } from '../forks/address/fork-proxy';
import { rpcCallLimit } from '../http/rate-limit';
import type { AccountServices } from './account-services';
import { openChains } from './open-chains';
import { openData } from './open-data';
import { openForks } from './open-forks';
import { openOperations } from './open-operations';
import { createClusterNodes } from './other-nodes';
import { OwnAddress } from './own-address';
import { serve } from './serve';
import { startEngines } from './start-engines';
import type { Options } from './startup/options';
import { Stops } from './stops';

/** Time in which a node that stops gives its forks away, in milliseconds. */
const DRAIN_MS = 8_000;

/** The running service. */
export interface Services {
  /** Base URL on this machine. */
  url: string;
  accounts: AccountServices;
  /** Stops everything, in the reverse order of the start. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Composition root: builds all parts by hand and starts the service. If a step fails, stops the parts that were already started.
 * @throws DirectoryInUseError, UnusableDirectoryError, and Error with a message for the user
 */
export async function startServices(options: Options, log: Logger): Promise<Services> {
  const stops = new Stops(log);
  const stop = (): Promise<void> => stops.run();
  try {
    return { ...(await start(options, log, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Each stage reads only those before it. */
async function start(options: Options, log: Logger, stops: Stops): Promise<Omit<Services, 'stop'>> {
  const { leaseSeconds, config } = options;
  const self = new OwnAddress();
  const data = await openData(options, log, stops);
  const { lock, storage } = data;
  const afterForks = new Stops(log);
  stops.add(() => afterForks.run());
  const engines = await startEngines(options, log, stops);
  const opened = openChains(options, engines, log, stops);
  const nodes =
    storage.cluster && createClusterNodes({ storage: storage.cluster, leaseSeconds, self, log });
  const foundation = { data, engines, opened, nodes, self };
  const openedForks = await openForks(options, foundation, log, stops);
  const operations = await openOperations(options, foundation, openedForks, log, {
    stops,
    afterForks,
  });
  const rpcProxy = new ForkProxy({
    forks: openedForks.forks,
    onInternal: opened.onInternal,
    callsPerMinute: rpcCallLimit(options.host, config.limits.rpcCallsPerMinute),
    bytes: byteLimits(config.limits),
    onSocketCall: opened.stalls.resume.bind(opened.stalls),
  });
  const parts = { foundation, openedForks, operations, rpcProxy };
  const { readiness, changes } = await serve(options, parts, log, stops);
  // Stops before the server, which waits for the forks' WebSockets: only the proxy closes them.
  stops.add(() => rpcProxy.close());
  stops.add(() => {
    changes.close();
    return Promise.resolve();
  });
  const { cluster, accounts } = operations;
  if (cluster) {
    stops.add(() => cluster.router.close());
    await cluster.start();
    stops.add(() => cluster.drain(DRAIN_MS));
  }
  await lock.publish(self.url);
  // Withdraws the address before the server stops: a process that gets no answer at a published address considers the directory free.
  stops.add(() => lock.publish(null));
  stops.add(() => readiness.stopping());
  readiness.started();
  return { url: self.url, accounts };
}

import type { Logger } from 'pino';
import { findBlock } from '../chains/explorer/find-block';
import { EndpointCommands } from '../chains/registry/endpoint-commands';
import type { ForkProxy } from '../forks/address/fork-proxy';
import { createApp } from '../http/app';
import { ChangeStreams } from '../http/change-stream';
import { connectionLimit } from '../http/connection-limit';
import { createHostGuard } from '../http/host-guard';
import { closeServer, listen } from '../http/listen';
import { requestLimit } from '../http/rate-limit';
import { createHttpServer } from '../http/server';
import { TrustedProxies } from '../http/trusted-proxies';
import { readLastPort, saveLastPort } from '../store/directory/last-port';
import { monitor } from './monitoring';
import type { ForkFoundation, OpenForks } from './open-forks';
import type { OpenOperations } from './open-operations';
import type { ReadinessCheck } from './readiness';
import { renewCertificate } from './renew-certificate';
import type { Options } from './startup/options';
import { VERSION } from './startup/version';
import { StatusCommand, statusOf } from './status-command';
import type { Stops } from './stops';

export interface ServedParts {
  foundation: ForkFoundation;
  openedForks: OpenForks;
  operations: OpenOperations;
  rpcProxy: ForkProxy;
}

export interface Serving {
  /** The service is starting. */
  readiness: ReadinessCheck;
  changes: ChangeStreams;
}

/** Answers requests from now on: the last stage of a start. */
export async function serve(
  options: Options,
  parts: ServedParts,
  log: Logger,
  stops: Stops,
): Promise<Serving> {
  const { config, dataDir } = options;
  const { foundation, openedForks, operations, rpcProxy } = parts;
  const { opened, data, self } = foundation;
  const { metrics, stalls } = opened;
  const readiness = monitor(metrics, {
    ...openedForks,
    rpcProxy,
    stalls,
    storage: data.storage,
    cluster: operations.cluster,
    limit: config.engine.maxRunning,
  });
  const { keys, feed } = operations.accounts;
  const changes = new ChangeStreams(keys, feed, undefined, openedForks.quotas);
  const proxies = new TrustedProxies(options.trustedProxies);
  const server = createHttpServer({
    app: appOf(options, parts, { readiness, changes }, log),
    rpcProxy,
    router: operations.cluster?.router,
    proxies,
    tls: options.tls?.current,
    isOurHost: createHostGuard({ ...options, proxies }),
    maxConnections: connectionLimit(config.limits.connections),
    readerSeconds: config.limits.readerSeconds,
    onExchange: metrics.request.bind(metrics),
    log,
  });
  for (const event of ['request', 'upgrade']) server.on(event, stalls.resume.bind(stalls));
  if (options.tls) stops.add(renewCertificate(options.tls, server, log));
  // The forks' addresses contain the port, so the service reuses its last port if it is free.
  self.url = await listen(server, options.host, options.port, await readLastPort(dataDir));
  stops.add(() => closeServer(server));
  await saveLastPort(dataDir, Number(new URL(self.url).port)).catch((error: unknown) => {
    log.warn({ err: error }, 'the port is not saved: the next start may use another one');
  });
  return { readiness, changes };
}

/** The operations of the REST interface. */
function appOf(
  { host, config }: Options,
  { foundation, openedForks, operations }: ServedParts,
  { readiness, changes }: Serving,
  log: Logger,
): ReturnType<typeof createApp> {
  const { data, engines, opened } = foundation;
  const { chains, upstreamOf, metrics, stalls } = opened;
  const { accounts, operations: operated, abis, labels } = operations;
  return createApp({
    ...accounts,
    changes,
    quotas: openedForks.quotas,
    forks: openedForks.forks,
    chains,
    blocks: {
      find: (slug, at, { signal }) =>
        findBlock({ slug, rpc: upstreamOf(chains.bySlug(slug)), signal }, at),
    },
    ...operated.services,
    cases: operated.cases,
    abis,
    labels,
    local: [
      new EndpointCommands(chains, engines.sandbox?.chain.slug),
      new StatusCommand(() => statusOf(stalls, accounts.audit)),
    ],
    adminToken: data.lock.adminToken,
    health: { status: 'ok', version: VERSION, instance: data.lock.instance },
    readiness: readiness.read.bind(readiness),
    metrics,
    metricsToken: config.metrics.token,
    requestsPerMinute: requestLimit(host, config.limits.requestsPerMinute),
    log,
  });
}

import { join } from 'node:path';
import type { Logger } from 'pino';
import { GivenAbis } from '../store/user-supplied/given-abis';
import { GivenLabels } from '../store/user-supplied/given-labels';
import { createAccountServices, type AccountServices } from './account-services';
import { createAnalysis } from './analysis-services';
import { EngineNetworks } from '../engine/engine-networks';
import { ChainRegistry } from '../chains/registry/chain-registry';
import { findBlock } from '../chains/explorer/find-block';
import { EndpointCommands } from '../chains/registry/endpoint-commands';
import { createCluster } from './cluster-services';
import { hasBlocks } from './has-blocks';
import { renewCertificate } from './renew-certificate';
import { measureStalls, monitor } from './monitoring';
import { hasForkQuotas, useOf } from './fork-quotas';
import { createEngineStarter } from './engine-starter';
import { engineTurns } from './engine-turns';
import { createExecutionFiles } from './execution-files';
import { StatusCommand, statusOf } from './status-command';
import { openStorage } from './storage';
import { Executions } from '../execution/engines/executions';
import { Quotas } from '../projects/quotas';
import { Forks } from '../forks/life/forks';
import { createApp } from '../http/app';
import { ChangeStreams } from '../http/change-stream';
import { connectionLimit } from '../http/connection-limit';
import { currentTrace } from '../kernel/requests/request-trace';
import { TrustedProxies } from '../http/trusted-proxies';
import { createHostGuard } from '../http/host-guard';
import { closeServer, listen } from '../http/listen';
import { requestLimit, rpcCallLimit } from '../http/rate-limit';
import { createHttpServer } from '../http/server';
import { Metrics } from '../kernel/metrics/metrics';
import type { Options } from './startup/options';
import { byteLimits } from '../forks/address/fork-budgets';
import { ForkProxy } from '../forks/address/fork-proxy';
import { UpstreamGateway } from '../chains/upstream/upstream-gateway';
import { readBuiltPlan } from '../sandbox/built-plan';
import { startKeptSandbox } from '../sandbox/kept-sandbox';
import { readSandboxInterfaces } from './sandbox-interfaces';
import { settled } from '../kernel/async/settled';
import { AuditSinks } from '../store/audit/audit-sinks';
import { ensureAccessKeyFile } from '../store/directory/access-key-file';
import { DataDirectoryLock } from '../store/directory/data-directory';
import { saveLastPort, readLastPort } from '../store/directory/last-port';
import { createChainServices } from './chain-services';
import { executor, originalTracer } from './trace-services';
import { VERSION } from './startup/version';

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
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next; next = stops.pop()) {
      await next().catch((error: unknown) => {
        log.error({ err: error }, 'a part of the service did not stop cleanly');
      });
    }
  };
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
  stops: (() => Promise<unknown>)[],
): Promise<Omit<Services, 'stop'>> {
  const { host, port, dataDir, config } = options;
  const lock = await DataDirectoryLock.acquire(dataDir);
  stops.push(() => lock.release());

  const storage = await openStorage({
    dataDir,
    database: options.database,
    leaseSeconds: options.leaseSeconds,
    node: { url: options.nodeUrl, capacity: config.engine.maxRunning, version: VERSION },
    clock: () => new Date(),
    log,
  });
  stops.push(() => storage.close());
  const auditSink = new AuditSinks(config.audit, log.warn.bind(log));
  stops.push(() => auditSink.close());
  const accounts = createAccountServices({
    storage,
    auditSink,
    projectLimit: config.limits.projectsPerUser,
    warn: log.warn.bind(log),
    clock: () => new Date(),
    deleteForksOf: (projectId) => forks.deleteAllOf(projectId),
    addressesRenewed: async (projectId) => {
      await forks.adoptAddresses(projectId);
      await cluster?.addressesRenewed(projectId);
    },
  });
  stops.push(() => accounts.keys.settled());
  if (options.localUser)
    await ensureAccessKeyFile(dataDir, accounts.localUser, storage.cluster?.nodeId);
  const cluster =
    storage.cluster &&
    createCluster({
      storage: storage.cluster,
      leaseSeconds: options.leaseSeconds,
      log,
      feed: accounts.feed,
      forks: () => forks,
      // A certificate is valid for the URL that other nodes use, and need not be for the address on this machine.
      url: () => (options.tls ? (options.nodeUrl ?? url) : url),
      hasBlocks: (chainId) => hasBlocks(chains, answerFiles, chainId),
      simulated: (id) => analysis.recordings.simulated(id),
    });
  if (cluster) stops.push(() => cluster.close());

  const networks = new EngineNetworks({
    onUnavailable: (reason) => {
      log.warn(
        { reason },
        'engines listen on the loopback interface: run forklens doctor for the details',
      );
    },
  });
  stops.push(() => networks.close());
  const startEngine = createEngineStarter(dataDir, config.engine, networks, log);
  // Read while the sandbox's engine starts.
  const compiled = settled(options.sandbox ? readSandboxInterfaces() : Promise.resolve([]));
  const sandbox = options.sandbox
    ? await startKeptSandbox({
        startEngine,
        plan: readBuiltPlan(),
        onEnd: ({ code, signal }) => {
          log.warn({ code, signal }, 'the engine of the sandbox ended: the next request starts it');
        },
      })
    : undefined;
  if (sandbox) stops.push(() => sandbox.stop());

  const chains = new ChainRegistry([...config.chains, ...(sandbox ? [sandbox.chain] : [])]);
  const metrics = new Metrics(VERSION);
  const stalls = measureStalls(metrics);
  stops.push(stalls.stop.bind(stalls));
  const chainServices = createChainServices({ config, dataDir, sandbox, metrics, log });
  const { upstreamOf, rules, answerFiles } = chainServices;
  stops.push(chainServices.close);
  const onInternal = (error: unknown): void => {
    log.error({ err: error }, 'a JSON-RPC request failed');
  };
  const gateway = new UpstreamGateway(onInternal, networks);
  stops.push(() => gateway.close());
  const executionFiles = createExecutionFiles({ dataDir, log, metrics });
  stops.push(() => executionFiles.traceFiles.settled());
  stops.push(() => executionFiles.recordingFiles.settled());

  let url = ''; // known once the server listens
  const executions = new Executions({ lend: (): (() => void) => forks.lendEngine() });
  const quotas = new Quotas({
    limits: config.limits.quotas,
    projects: storage.projects,
    forkUseOf: async (projectId) => useOf(await forks.list(projectId)),
    ledger: storage.cluster?.quotas,
    now: () => performance.now(),
  });
  const forks: Forks = await Forks.open({
    store: storage.forks,
    journals: storage.journals,
    shared: cluster?.shared,
    chains,
    upstreamOf,
    openUpstream: gateway.open.bind(gateway),
    startEngine,
    rules,
    executor,
    traceOriginal: originalTracer({ rules, gateway, startEngine, executions, upstreamOf }),
    countTransactions: ({ projectId, forkId }, executions) =>
      accounts.usage.record(projectId, { forkId, ...executions }),
    quotas: hasForkQuotas(config.limits.quotas) ? quotas : undefined,
    journalLimits: {
      bytes: config.limits.forkJournalMegabytes * 1024 ** 2,
      entries: config.limits.forkJournalEntries,
    },
    engines: engineTurns(config.engine),
    rpcUrl: (secret) => `${options.publicUrl ?? currentTrace()?.base ?? url}/rpc/${secret}`,
    onChange: (change) => {
      accounts.feed.publish(change).catch((error: unknown) => {
        log.warn({ err: error }, 'clients were not notified of a change');
      });
    },
    onWake: (forkId, ms) => {
      metrics.wake(ms / 1000, forks.sharing?.isTakenOver(forkId) === true);
    },
    clock: () => new Date(),
    log,
  });
  stops.push(() => forks.stop());
  await forks.recover();
  const rpcProxy = new ForkProxy({
    forks,
    onInternal,
    callsPerMinute: rpcCallLimit(host, config.limits.rpcCallsPerMinute),
    bytes: byteLimits(config.limits),
    onSocketCall: stalls.resume.bind(stalls),
  });

  const readiness = monitor(metrics, {
    forks,
    executions,
    rpcProxy,
    stalls,
    storage,
    cluster,
    limit: config.engine.maxRunning,
  });

  const abis = new GivenAbis(storage.abis, log);
  const labels = new GivenLabels(storage.labels, log);
  const changes = new ChangeStreams(accounts.keys, accounts.feed, undefined, quotas);
  const analysis = createAnalysis({
    config,
    chains,
    upstreamOf,
    ...executionFiles,
    gateway,
    rules,
    startEngine,
    executions,
    forks,
    sandbox,
    compiled,
    given: abis,
    userLabels: labels,
    cacheFolder: join(dataDir, 'abi-cache'),
    sourceFolder: join(dataDir, 'source-cache'),
    solcFolders: { given: options.solc, dataDir, isShown: options.localUser },
    onProof: (userIds, result) => {
      accounts.feed.notifyUsers(userIds, { type: 'analysis', ...result });
    },
    simulatedElsewhere: cluster?.simulatedElsewhere,
    log,
  });
  stops.push(analysis.closeEngines);
  const app = createApp({
    ...accounts,
    changes,
    quotas,
    forks,
    chains,
    blocks: {
      find: (slug, at, { signal }) =>
        findBlock({ slug, rpc: upstreamOf(chains.bySlug(slug)), signal }, at),
    },
    ...analysis,
    abis,
    labels,
    local: [
      new EndpointCommands(chains, sandbox?.chain.slug),
      new StatusCommand(() => statusOf(stalls, accounts.audit)),
    ],
    adminToken: lock.adminToken,
    health: { status: 'ok', version: VERSION, instance: lock.instance },
    readiness: readiness.read.bind(readiness),
    metrics,
    metricsToken: config.metrics.token,
    requestsPerMinute: requestLimit(host, config.limits.requestsPerMinute),
    log,
  });
  const proxies = new TrustedProxies(options.trustedProxies);
  const server = createHttpServer({
    app,
    rpcProxy,
    router: cluster?.router,
    proxies,
    tls: options.tls?.current,
    isOurHost: createHostGuard({ ...options, proxies }),
    maxConnections: connectionLimit(config.limits.connections),
    readerSeconds: config.limits.readerSeconds,
    onExchange: metrics.request.bind(metrics),
    log,
  });
  for (const event of ['request', 'upgrade']) server.on(event, stalls.resume.bind(stalls));
  if (options.tls) stops.push(renewCertificate(options.tls, server, log));
  // The forks' addresses contain the port, so the service reuses its last port if it is free.
  url = await listen(server, host, port, await readLastPort(dataDir));
  stops.push(() => closeServer(server));
  await saveLastPort(dataDir, Number(new URL(url).port)).catch((error: unknown) => {
    log.warn({ err: error }, 'the port is not saved: the next start may use another one');
  });
  // Stops before the server, which waits for the forks' WebSockets: only the proxy closes them.
  stops.push(() => rpcProxy.close());
  stops.push(() => {
    changes.close();
    return Promise.resolve();
  });
  if (cluster) {
    stops.push(() => cluster.router.close());
    await cluster.start();
    stops.push(() => cluster.drain(DRAIN_MS));
  }
  await lock.publish(url);
  // Withdraws the address before the server stops: a process that gets no answer at a published address considers the directory free.
  stops.push(() => lock.publish(null));
  stops.push(() => readiness.stopping());
  readiness.started();
  return { url, accounts };
}

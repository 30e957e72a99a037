import type { Logger } from 'pino';
import { Executions } from '../execution/engines/executions';
import { EnginePool } from '../forks/life/engine-pool';
import { Forks } from '../forks/life/forks';
import { currentTrace } from '../kernel/requests/request-trace';
import { Quotas } from '../projects/quotas';
import { engineTurns } from './engine-turns';
import { hasForkQuotas, useOf } from './fork-quotas';
import type { OpenChains } from './open-chains';
import type { OpenData } from './open-data';
import type { ClusterNodes } from './other-nodes';
import type { OwnAddress } from './own-address';
import type { StartedEngines } from './start-engines';
import type { Options } from './startup/options';
import type { Stops } from './stops';
import { executor, originalTracer } from './trace-services';

/** The stages before the forks. */
export interface ForkFoundation {
  data: OpenData;
  engines: StartedEngines;
  opened: OpenChains;
  /** The other nodes of the database, if there is one. */
  nodes: ClusterNodes | undefined;
  /** Where the service listens. */
  self: OwnAddress;
}

/** The forks, which share the engines with executions: the fourth stage of a start. */
export interface OpenForks {
  forks: Forks;
  executions: Executions;
  quotas: Quotas;
}

export async function openForks(
  { publicUrl, config }: Options,
  { data, engines, opened, nodes, self }: ForkFoundation,
  log: Logger,
  stops: Stops,
): Promise<OpenForks> {
  const { storage, accounts } = data;
  const { chains, upstreamOf, gateway, rules, metrics } = opened;
  const { startEngine } = engines;
  const pool = new EnginePool(engineTurns(config.engine));
  const executions = new Executions({ lend: pool.lend.bind(pool) });
  const quotas = new Quotas({
    limits: config.limits.quotas,
    projects: storage.projects,
    ledger: storage.cluster?.quotas,
    now: () => performance.now(),
  });
  const forks = await Forks.open({
    store: storage.forks,
    journals: storage.journals,
    shared: nodes?.shared,
    chains,
    upstreamOf,
    openUpstream: gateway.open.bind(gateway),
    startEngine,
    rules,
    executor,
    traceOriginal: originalTracer({ rules, gateway, startEngine, executions, upstreamOf }),
    countTransactions: ({ projectId, forkId }, counted) =>
      accounts.usage.record(projectId, { forkId, ...counted }),
    quotas: hasForkQuotas(config.limits.quotas) ? quotas : undefined,
    journalLimits: {
      bytes: config.limits.forkJournalMegabytes * 1024 ** 2,
      entries: config.limits.forkJournalEntries,
    },
    pool,
    rpcUrl: (secret) => `${publicUrl ?? currentTrace()?.base ?? self.url}/rpc/${secret}`,
    onChange: (change) => {
      accounts.feed.publish(change).catch((error: unknown) => {
        log.warn({ err: error }, 'clients were not notified of a change');
      });
    },
    onWake: (forkId, ms) => {
      metrics.wake(ms / 1000, nodes?.shared.takenOver.delete(forkId) === true);
    },
    clock: () => new Date(),
    log,
  });
  stops.add(() => forks.stop());
  quotas.countForks(async (projectId) => useOf(await forks.list(projectId)));
  await forks.recover();
  return { forks, executions, quotas };
}

import type { Executions } from '../execution/engines/executions';
import type { ForkProxy } from '../forks/address/fork-proxy';
import type { Forks } from '../forks/life/forks';
import type { Metrics } from '../kernel/metrics/metrics';
import { StallMeter } from '../kernel/metrics/stall-meter';
import type { Cluster } from './join-cluster';
import { ReadinessCheck } from './readiness';
import type { Storage } from './storage';
import { threadTimer } from './thread-time';

export interface Monitored {
  forks: Forks;
  executions: Executions;
  rpcProxy: ForkProxy;
  stalls: StallMeter;
  storage: Storage;
  cluster: Cluster | undefined;
  /** Engines that may run. */
  limit: number;
}

/** Starts to measure pauses of the event loop, which the metrics count. */
export function measureStalls(metrics: Metrics): StallMeter {
  const stalls = new StallMeter(metrics.stall.bind(metrics), threadTimer());
  stalls.resume();
  return stalls;
}

/** Has the metrics read the parts of the service. @returns whether the service is ready; it is starting */
export function monitor(metrics: Metrics, parts: Monitored): ReadinessCheck {
  const { forks, executions, rpcProxy, stalls, storage, cluster, limit } = parts;
  metrics.readFrom({
    forks: () => forks.states,
    engines: () => ({ ...forks.engines, limit, waiting: forks.waiting }),
    executionsWaiting: () => executions.waiting,
    webSockets: () => rpcProxy.webSockets,
    longestStall: () => stalls.longest,
    database: storage.connections,
  });
  return new ReadinessCheck({
    ping: storage.ping,
    isDraining: () => cluster?.isDraining() === true,
  });
}

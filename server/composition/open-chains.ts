import type { Logger } from 'pino';
import { ChainRegistry } from '../chains/registry/chain-registry';
import { UpstreamGateway } from '../chains/upstream/upstream-gateway';
import { Metrics } from '../kernel/metrics/metrics';
import type { StallMeter } from '../kernel/metrics/stall-meter';
import { createChainServices, type ChainServices } from './chain-services';
import { createExecutionFiles, type ExecutionFiles } from './execution-files';
import { measureStalls } from './monitoring';
import type { StartedEngines } from './start-engines';
import type { Options } from './startup/options';
import { VERSION } from './startup/version';
import type { Stops } from './stops';

/** The chains and the clients of their nodes: the third stage of a start. */
export interface OpenChains extends Omit<ChainServices, 'close'> {
  chains: ChainRegistry;
  /** Serves the chains to engines. */
  gateway: UpstreamGateway;
  executionFiles: ExecutionFiles;
  metrics: Metrics;
  stalls: StallMeter;
  /** Logs an error of a JSON-RPC request that its answer may not show. */
  onInternal: (error: unknown) => void;
}

export function openChains(
  { config, dataDir }: Options,
  { sandbox, networks }: StartedEngines,
  log: Logger,
  stops: Stops,
): OpenChains {
  const chains = new ChainRegistry(config.chains.concat(sandbox ? sandbox.chain : []));
  const metrics = new Metrics(VERSION);
  const stalls = measureStalls(metrics);
  stops.add(stalls.stop.bind(stalls));
  const { close, ...services } = createChainServices({ config, dataDir, sandbox, metrics, log });
  stops.add(close);
  const onInternal = (error: unknown): void => {
    log.error({ err: error }, 'a JSON-RPC request failed');
  };
  const gateway = new UpstreamGateway(onInternal, networks);
  stops.add(() => gateway.close());
  const executionFiles = createExecutionFiles({ dataDir, log, metrics });
  stops.add(() => executionFiles.traceFiles.settled());
  stops.add(() => executionFiles.recordingFiles.settled());
  return { ...services, chains, gateway, executionFiles, metrics, stalls, onInternal };
}

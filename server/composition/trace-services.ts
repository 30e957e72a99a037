import type { Chain } from '../api/config';
import { hardforkAt } from '../rules/hardfork-at-block';
import type { StartEngine } from '../ethereum/engine';
import type { RpcClient } from '../ethereum/json-rpc';
import type { ForkPorts } from '../forks/ports';
import type { UpstreamGateway } from '../upstream/upstream-gateway';
import type { Executions } from '../execution/engines/executions';
import type { EngineAtPositionPorts } from '../execution/engines/engine-at-position';
import { LazyExecutor } from '../execution/engines/lazy-executor';
import { OriginalTraces } from '../execution/points/original-traces';

export interface TraceServicesOptions {
  chains: { bySlug(slug: string): Chain };
  gateway: UpstreamGateway;
  startEngine: StartEngine;
}

/** Executes blocks whose rules the engine does not execute. */
export const executor = new LazyExecutor();

/** Engines that execute a chain's transactions again. */
export const engineLoans = ({
  chains,
  gateway,
  startEngine,
}: TraceServicesOptions): EngineAtPositionPorts => ({
  startEngine,
  executor,
  openUpstream: ({ chainId, rpc }) => gateway.open({ chainId, upstream: rpc }),
  hardforkOf: (network, { number, timestamp }) =>
    hardforkAt(chains.bySlug(network.key), {
      number: Number(number),
      timestamp: Number(timestamp),
    }).hardfork,
});

/** A fork's answers for traces of the chain's own transactions, if the chain's node has no debug API. */
export function originalTracer(
  options: TraceServicesOptions & {
    executions: Executions;
    upstreamOf: (chain: Chain) => RpcClient;
  },
): ForkPorts['traceOriginal'] {
  const traces = new OriginalTraces(engineLoans(options), options.executions);
  return (chain, call, place) => {
    const { slug: key, chainId, nativeSymbol } = chain;
    const network = {
      key,
      chainId,
      nativeSymbol,
      rpc: options.upstreamOf(chain),
      replayable: true,
    };
    return traces.answer(network, call, place);
  };
}

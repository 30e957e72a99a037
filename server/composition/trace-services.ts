import type { Chain } from '../api/config';
import { requireExecuted } from '../evm/rules/block-rules';
import type { RuleSource } from '../evm/rules/rule-source';
import type { StartEngine } from '../evm/forms/engine';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { ForkPorts } from '../forks/life/ports';
import type { UpstreamGateway } from '../chains/upstream/upstream-gateway';
import type { Executions } from '../execution/engines/executions';
import type { EngineAtPositionPorts } from '../execution/engines/engine-at-position';
import { ThreadExecutor } from '../execution/workers/thread-executor';
import { OriginalTraces } from '../execution/points/original-traces';

export interface TraceServicesOptions {
  rules: RuleSource;
  gateway: UpstreamGateway;
  startEngine: StartEngine;
}

/** Executes blocks whose rules the engine does not execute. */
export const executor = new ThreadExecutor();

/** Engines that execute a chain's transactions again. */
export const engineLoans = ({
  rules,
  gateway,
  startEngine,
}: TraceServicesOptions): EngineAtPositionPorts => ({
  startEngine,
  executor,
  openUpstream: ({ chainId, rpc }) => gateway.open({ chainId, upstream: rpc }),
  rulesOf: async (network, block) => requireExecuted(await rules.of(network, block)),
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
    const { slug: key, chainId, nativeSymbol, hardfork } = chain;
    const network = {
      key,
      chainId,
      nativeSymbol,
      hardfork,
      rpc: options.upstreamOf(chain),
      replayable: true,
    };
    return traces.answer(network, call, place);
  };
}

import type { Logger } from 'pino';
import type { Artifact } from '../contracts/abi/artifact';
import { EngineNetworks } from '../chains/engine/engine-networks';
import type { StartEngine } from '../evm/forms/engine';
import { settled } from '../kernel/async/settled';
import { readBuiltPlan } from '../chains/sandbox/built-plan';
import { startKeptSandbox, type KeptSandbox } from '../chains/sandbox/kept-sandbox';
import { createEngineStarter } from './engine-starter';
import { readSandboxInterfaces } from './sandbox-interfaces';
import type { Options } from './startup/options';
import type { Stops } from './stops';

/** Engines, and the built-in chain: the second stage of a start. */
export interface StartedEngines {
  networks: EngineNetworks;
  startEngine: StartEngine;
  /** The built-in chain, if the service runs it. */
  sandbox: KeptSandbox | undefined;
  /** Its contracts; empty without it. */
  compiled: () => Promise<readonly Artifact[]>;
}

export async function startEngines(
  options: Options,
  log: Logger,
  stops: Stops,
): Promise<StartedEngines> {
  const { dataDir, config } = options;
  const networks = new EngineNetworks({
    onUnavailable: (reason) => {
      log.warn(
        { reason },
        'engines listen on the loopback interface: run forklens doctor for the details',
      );
    },
  });
  stops.add(() => networks.close());
  const startEngine = createEngineStarter(dataDir, config.engine, networks, log);
  if (!options.sandbox) {
    return { networks, startEngine, sandbox: undefined, compiled: settled(Promise.resolve([])) };
  }
  // Read while the sandbox's engine starts.
  const compiled = settled(readSandboxInterfaces());
  const sandbox = await startKeptSandbox({
    startEngine,
    plan: readBuiltPlan(),
    onEnd: ({ code, signal }) => {
      log.warn({ code, signal }, 'the engine of the sandbox ended: the next request starts it');
    },
  });
  stops.add(() => sandbox.stop());
  return { networks, startEngine, sandbox, compiled };
}

import type { ExecutionLocator } from '../analysis/views/execution-locator';
import type { TraceSource } from '../analysis/ports';
import { blockOf, type Simulation } from '../analysis/simulation/simulation';
import type { NetworkDirectory } from '../chains/network-directory';
import type { HardforkOf } from '../debugger/session/ports';
import { RecordingService } from '../debugger/answers/recording-service';
import { Recordings } from '../debugger/session/recordings';
import { Prestates } from '../execution/recording/prestates';
import type { ProgramSource } from '../sources/program-source';

/** Composes the recordings of executions, for debuggers. */
export function createRecordings(parts: {
  networks: NetworkDirectory;
  executions: ExecutionLocator;
  simulation: Simulation;
  replay: TraceSource;
  /** Of a chain. */
  hardforkOf: HardforkOf;
  programs: ProgramSource;
}): RecordingService {
  const { networks, executions, simulation, replay, hardforkOf, programs } = parts;
  const recordings = new Recordings({
    networks,
    programs,
    executions,
    prestates: new Prestates(replay),
    hardforkOf: (network, block) => network.hardfork ?? hardforkOf(network, block),
    simulations: {
      locate: async (chain, body, options) => {
        const { request, executed } = await simulation.execute(chain, body, options);
        const execution = { network: request.network, executed };
        const located = await executions.identified(execution, options.signal);
        return { located, block: blockOf(request) };
      },
    },
  });
  return new RecordingService(recordings);
}

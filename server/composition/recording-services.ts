import type { ExecutionLocator } from '../analysis/views/execution-locator';
import type { TraceSource } from '../analysis/ports';
import {
  blockOf,
  type Simulation,
  type SimulationRequest,
} from '../analysis/simulation/simulation';
import type { NetworkDirectory } from '../chains/explorer/network-directory';
import type { BlockRulesOf, SimulationSource } from '../debugger/session/ports';
import { ForgeTests } from '../debugger/forge/forge-tests';
import { RecordingService, type NameSource } from '../debugger/answers/recording-service';
import { RecordedBlocks } from '../debugger/session/recorded-blocks';
import { Recordings, type RecordingPorts } from '../debugger/session/recordings';
import type { StatePoint } from '../debugger/session/state-point';
import { Prestates } from '../execution/recording/prestates';
import { hasText } from '../contracts/sources/compiled-contract';
import type { ProgramSource } from '../contracts/sources/program-source';

/** Composes the recordings of executions, for debuggers. */
export function createRecordings(parts: {
  networks: NetworkDirectory;
  executions: ExecutionLocator;
  simulations: SimulationSource;
  replay: TraceSource;
  /** Of a chain. */
  rulesOf: BlockRulesOf;
  programs: ProgramSource;
  names: NameSource;
  revisionOf: (user: string) => Promise<string>;
  simulatedElsewhere: RecordingPorts['simulatedElsewhere'];
  store: RecordingPorts['store'];
}): { recordings: Recordings; service: RecordingService } {
  const { networks, executions, simulations, replay, rulesOf, programs, revisionOf } = parts;
  const tests = new ForgeTests(executions, networks);
  const recordings = new Recordings({
    tests,
    networks,
    programs,
    revisionOf,
    simulatedElsewhere: parts.simulatedElsewhere,
    store: parts.store,
    executions,
    prestates: new Prestates(replay),
    rulesOf,
    simulations,
  });
  const blocks = new RecordedBlocks(networks);
  const service = new RecordingService(recordings, blocks, hasText, tests, parts.names);
  return { recordings, service };
}

/** Traces simulations and identifies their contracts, without analyzing them. */
export const simulationSource = (
  simulation: Simulation,
  executions: ExecutionLocator,
): SimulationSource => ({
  locate: async (chain, body, { user, ...options }) => {
    const { request, executed } = await simulation.execute(chain, body, options);
    const execution = { network: { ...request.network, user }, executed };
    const located = await executions.identified(execution, options.signal);
    return { located, block: blockOf(request), point: statePoint(request) };
  },
});

function statePoint(request: SimulationRequest): StatePoint {
  const { network, block, position, stateOverrides, tag } = request;
  const isAfterBlock = position === block.transactions.length;
  const point = { network, block, position, isAfterBlock, overrides: stateOverrides };
  if (tag !== 'latest') return point;
  return { ...point, unavailable: 'the state of the fork may be another one since the simulation' };
}

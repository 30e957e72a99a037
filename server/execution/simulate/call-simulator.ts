import type {
  CallSimulator,
  SimulatedCall,
  SimulationRequest,
} from '../../analysis/simulation/simulation';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { OnProgress } from '../../api/progress';
import type { BlockOverrides } from '../../api/simulate';
import { withDeadline } from '../../kernel/async/with-deadline';
import { isMethodMissing, RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlock } from '../../evm/forms/types';
import type { BlockRules } from '../../evm/rules/block-rules';
import {
  exactExecution,
  withEngineAt,
  type EngineAtPositionPorts,
} from '../engines/engine-at-position';
import { executionWarnings } from '../engines/execution-warnings';
import type { Executions } from '../engines/executions';
import { changesOfPrefix, mergeOverrides } from './prefix-overrides';
import { rejectedOr, requireGas } from './rejected-simulation';
import { simulateInProcess } from './simulate-in-process';
import { traceCall, type Overrides } from './trace-call';

const REST_MS = 10 * 60_000;
/** Executes unsent transactions: with the node's `debug_traceCall` after a whole block, else on an engine. */
export class DebugCallSimulator implements CallSimulator {
  /** Node -> time until which it counts as lacking the method. */
  readonly #missingUntil = new WeakMap<RpcClient, number>();
  readonly #honoursOverrides = new WeakMap<RpcClient, boolean>();

  constructor(
    private readonly ports: EngineAtPositionPorts,
    private readonly executions: Executions,
    private readonly options: { timeoutMs?: number; now?: () => number } = {},
  ) {}

  /** @throws ApiError `simulationRejected`, `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  async simulate(
    request: SimulationRequest,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<SimulatedCall> {
    const { timeoutMs = LIMITS.replayTime } = this.options;
    return withDeadline({ signal, timeoutMs, what: 'the simulation' }, async (limited) => {
      const known = await this.#executedRulesOf(request);
      if (known) requireGas(request.call, known);
      try {
        const simulated = await this.#onNode(request, limited);
        if (simulated) return simulated;
        const rules = known ?? (await this.#rulesOf(request));
        const turn = { signal: limited, onProgress };
        return await this.executions.add(
          () =>
            rules.later === undefined
              ? this.#onEngine(request, limited, onProgress)
              : this.#inProcess(request, rules, turn),
          limited,
        );
      } catch (error) {
        throw error instanceof RpcError ? rejectedOr('upstreamLacksData', error) : error;
      }
    });
  }

  /** Undefined if the node cannot simulate the call but an engine may. */
  async #onNode(
    request: SimulationRequest,
    signal: AbortSignal,
  ): Promise<SimulatedCall | undefined> {
    const { network, block, position, tag } = request;
    const { rpc, replayable } = network;
    const now = this.options.now ?? Date.now;
    if (network.standsForFork === true) return undefined;
    const alone = !replayable;
    const isInside = position < block.transactions.length;
    // The node executes its own rules.
    if (!alone && (isInside || network.named !== undefined)) return undefined;
    if (!alone && (this.#missingUntil.get(rpc) ?? 0) > now()) return undefined;
    try {
      if (!alone && overrides(request) && !(await this.#honours(rpc, tag, signal)))
        return undefined;
      const answer = isInside
        ? await this.#insideOnNode(request, signal)
        : await traceCall(
            rpc,
            tag,
            request,
            { ...request, rules: () => this.#rulesOf(request) },
            signal,
          );
      const simulated: SimulatedCall = { ...answer, method: 'debug' };
      return alone ? await this.#withWarnings(simulated, request) : simulated;
    } catch (error) {
      if (!(error instanceof RpcError) || alone) throw error;
      if (isMethodMissing(error)) this.#missingUntil.set(rpc, now() + REST_MS);
      const rejection = rejectedOr('upstreamLacksData', error);
      if (rejection.kind === 'simulationRejected') throw rejection;
      return undefined;
    }
  }

  /** Adds what is assumed about the rules of an engine's execution, and what the engine lacks. */
  async #withWarnings(
    answer: SimulatedCall,
    { network, block }: SimulationRequest,
  ): Promise<SimulatedCall> {
    const rules = await this.ports.rulesOf(network, block);
    return { ...answer, ...executionWarnings(rules, calledBy(answer.callTrace)) };
  }

  /** Simulates at a position inside a block: on the state after its parent, with the changes of the earlier transactions as overrides. */
  async #insideOnNode(
    request: SimulationRequest,
    signal: AbortSignal,
  ): Promise<Omit<SimulatedCall, 'method'>> {
    const { network, block, position } = request;
    const changed = await changesOfPrefix(network.rpc, block, position, signal);
    const overrides = {
      stateOverrides: mergeOverrides(changed, request.stateOverrides),
      blockOverrides: { ...contextOf(block), ...request.blockOverrides },
      rules: () => this.#rulesOf(request),
    };
    const parent = toQuantity(BigInt(block.number) - 1n);
    return traceCall(network.rpc, parent, request, overrides, signal);
  }

  #onEngine(
    request: SimulationRequest,
    signal: AbortSignal,
    onProgress: OnProgress | undefined,
  ): Promise<SimulatedCall> {
    return withEngineAt(this.ports, request, { signal, onProgress }, async ({ rpc }) => {
      const blockOverrides = { ...contextOf(request.block), ...request.blockOverrides };
      const { stateOverrides } = request;
      const options = { stateOverrides, blockOverrides, rules: () => this.#rulesOf(request) };
      const answer = await traceCall(rpc, 'latest', request, options, signal);
      const method = request.network.standsForFork === true ? 'debug' : 'replay';
      return this.#withWarnings({ ...answer, method }, request);
    });
  }

  /** Undefined for rules that only the chain's node may execute. */
  async #executedRulesOf(request: SimulationRequest): Promise<BlockRules | undefined> {
    try {
      return await this.#rulesOf(request);
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'rulesUnsupported') return undefined;
      throw error;
    }
  }

  async #inProcess(
    request: SimulationRequest,
    rules: BlockRules,
    turn: { signal: AbortSignal; onProgress: OnProgress | undefined },
  ): Promise<SimulatedCall> {
    const exact = await exactExecution(this.ports, request.network, request.block);
    if (exact) return simulateInProcess(exact, request, rules, turn);
    throw new ApiError('rulesUnsupported', rules.refusal ?? 'nothing executes its rules');
  }

  #rulesOf({ network, block }: SimulationRequest): Promise<BlockRules> {
    return this.ports.rulesOf(network, block);
  }

  /** Whether a node applies overrides. Some nodes ignore them silently, so overrides are only sent to a node that applies these. */
  async #honours(rpc: RpcClient, tag: string, signal: AbortSignal): Promise<boolean> {
    const known = this.#honoursOverrides.get(rpc);
    if (known !== undefined) return known;
    const answer = (await rpc.request('debug_traceCall', [{ to: PROBE }, tag, PROBE_OPTIONS], {
      signal,
    })) as { output?: unknown } | null;
    const honours = answer?.output === PROBE_OUTPUT;
    this.#honoursOverrides.set(rpc, honours);
    return honours;
  }
}

/** An address without code of its own. */
const PROBE = `0x${'f0'.repeat(20)}`;
/** Returns number + timestamp + coinbase + prevrandao + slot 0. */
const PROBE_CODE = '0x434201410144016000540160005260206000f3';
const PROBE_OPTIONS = {
  tracer: 'callTracer',
  stateOverrides: { [PROBE]: { code: PROBE_CODE, stateDiff: { [toWord(0)]: toWord(0x10) } } },
  blockOverrides: {
    number: '0x1',
    time: '0x2',
    feeRecipient: `0x${'4'.padStart(40, '0')}`,
    prevRandao: toWord(0x8),
  },
};
const PROBE_OUTPUT = toWord(0x1f);

const overrides = ({ stateOverrides, blockOverrides }: Overrides): boolean =>
  Object.keys(stateOverrides).length + Object.keys(blockOverrides).length > 0;

/** The block's own context, for an engine whose newest block is its parent, or the block with some of its transactions. */
const contextOf = ({
  number,
  timestamp,
  gasLimit,
  miner,
  mixHash,
  baseFeePerGas,
}: RpcBlock): BlockOverrides => ({
  number,
  time: timestamp,
  gasLimit,
  feeRecipient: miner,
  ...(mixHash === undefined ? {} : { prevRandao: mixHash }),
  ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }),
});

/** Addresses of all calls in the answer of `callTracer`, in lower case. */
function* calledBy(answer: unknown): Generator<string> {
  const open = [answer as { to?: unknown; calls?: unknown } | null];
  for (let frame = open.pop(); frame; frame = open.pop()) {
    if (typeof frame.to === 'string') yield frame.to.toLowerCase();
    if (Array.isArray(frame.calls)) for (const call of frame.calls as object[]) open.push(call);
  }
}

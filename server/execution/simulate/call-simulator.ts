import { CHANGES_TRACER, TOUCHED_TRACER } from '../../analysis/execution-state';
import type { SpentGas } from '../../analysis/ports';
import type {
  CallSimulator,
  SimulatedCall,
  SimulationCall,
  SimulationRequest,
} from '../../analysis/simulation/simulation';
import { ApiError } from '../../api/errors';
import type { OnProgress } from '../../api/progress';
import type { Hex } from '../../api/primitives';
import type { BlockOverrides, StateOverrides } from '../../api/simulate';
import { GAS_PER_BLOB } from '../../rules/blob-price';
import type { BlockRules } from '../../rules/block-rules';
import { isMethodMissing, RpcError, type RpcCall, type RpcClient } from '../../ethereum/json-rpc';
import { toQuantity, toWord } from '../../ethereum/quantity';
import type { RpcBlock } from '../../ethereum/types';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import { blobPriceOfCalls } from '../prefix/engine-blob-price';
import { CALL_TRACER } from '../tracing/debug-api';
import { executionWarnings } from '../engines/execution-warnings';
import {
  exactExecution,
  withEngineAt,
  type EngineAtPositionPorts,
} from '../engines/engine-at-position';
import { changesOfPrefix, mergeOverrides } from './prefix-overrides';
import { withDeadline } from '../../async/with-deadline';
import type { Executions } from '../engines/executions';
import { DETAIL_TRACER, DETAIL_TIMEOUT_MS } from '../tracing/call-details';
import { isListed, spentBySteps, STEPS_TRACER } from '../points/spent-gas';
import { maxTransactionGas } from '../../rules/transaction-gas';
import { simulateInProcess } from './simulate-in-process';
import { unchargedBySimulation } from './uncharged-gas';

interface Overrides {
  stateOverrides: StateOverrides;
  blockOverrides: BlockOverrides;
}

interface RunOptions extends Overrides {
  /** Read for authorizations only. */
  rules: () => Promise<BlockRules>;
}

const REST_MS = 10 * 60_000;
/** Deadline of the trace that only refines the gas, milliseconds. */
const STEPS_TIMEOUT_MS = 10_000;

/** Executes unsent transactions: with the node's `debug_traceCall` after a whole block, else on an engine. */
export class DebugCallSimulator implements CallSimulator {
  /** Node -> time until which it counts as lacking the method. */
  private readonly missingUntil = new WeakMap<RpcClient, number>();
  private readonly honoursOverrides = new WeakMap<RpcClient, boolean>();

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
      const rules = await this.rulesOf(request);
      requireGas(request.call, rules);
      try {
        const simulated = await this.onNode(request, limited);
        if (simulated) return simulated;
        const turn = { signal: limited, onProgress };
        return await this.executions.add(
          () =>
            rules.later === undefined
              ? this.onEngine(request, limited, onProgress)
              : this.inProcess(request, rules, turn),
          limited,
        );
      } catch (error) {
        throw error instanceof RpcError ? rejectedOr('upstreamLacksData', error) : error;
      }
    });
  }

  /** Undefined if the node cannot simulate the call but an engine may. */
  private async onNode(
    request: SimulationRequest,
    signal: AbortSignal,
  ): Promise<SimulatedCall | undefined> {
    const { network, block, position, tag } = request;
    const { rpc, replayable } = network;
    const now = this.options.now ?? Date.now;
    const alone = !replayable;
    const isInside = position < block.transactions.length;
    if (!alone && isInside) return undefined;
    if (!alone && (this.missingUntil.get(rpc) ?? 0) > now()) return undefined;
    try {
      if (!alone && overrides(request) && !(await this.honours(rpc, tag, signal))) return undefined;
      const answer = isInside
        ? await this.insideOnNode(request, signal)
        : await run(rpc, tag, request, { ...request, rules: () => this.rulesOf(request) }, signal);
      const simulated: SimulatedCall = { ...answer, method: 'debug' };
      return alone ? await this.withWarnings(simulated, request) : simulated;
    } catch (error) {
      if (!(error instanceof RpcError) || alone) throw error;
      if (isMethodMissing(error)) this.missingUntil.set(rpc, now() + REST_MS);
      const rejection = rejectedOr('upstreamLacksData', error);
      if (rejection.kind === 'simulationRejected') throw rejection;
      return undefined;
    }
  }

  /** Adds what is assumed about the rules of an engine's execution, and what the engine lacks. */
  private async withWarnings(
    answer: SimulatedCall,
    { network, block }: SimulationRequest,
  ): Promise<SimulatedCall> {
    const rules = await this.ports.rulesOf(network, block);
    return { ...answer, ...executionWarnings(rules, calledBy(answer.callTrace)) };
  }

  /** Simulates at a position inside a block: on the state after its parent, with the changes of the earlier transactions as overrides. */
  private async insideOnNode(
    request: SimulationRequest,
    signal: AbortSignal,
  ): Promise<Omit<SimulatedCall, 'method'>> {
    const { network, block, position } = request;
    const changed = await changesOfPrefix(network.rpc, block, position, signal);
    const overrides = {
      stateOverrides: mergeOverrides(changed, request.stateOverrides),
      blockOverrides: { ...contextOf(block), ...request.blockOverrides },
      rules: () => this.rulesOf(request),
    };
    const parent = toQuantity(BigInt(block.number) - 1n);
    return run(network.rpc, parent, request, overrides, signal);
  }

  private onEngine(
    request: SimulationRequest,
    signal: AbortSignal,
    onProgress: OnProgress | undefined,
  ): Promise<SimulatedCall> {
    return withEngineAt(this.ports, request, { signal, onProgress }, async ({ rpc }) => {
      const blockOverrides = { ...contextOf(request.block), ...request.blockOverrides };
      const { stateOverrides } = request;
      const options = { stateOverrides, blockOverrides, rules: () => this.rulesOf(request) };
      const answer = await run(rpc, 'latest', request, options, signal);
      return this.withWarnings({ ...answer, method: 'replay' }, request);
    });
  }

  private async inProcess(
    request: SimulationRequest,
    rules: BlockRules,
    turn: { signal: AbortSignal; onProgress: OnProgress | undefined },
  ): Promise<SimulatedCall> {
    const exact = await exactExecution(this.ports, request.network, request.block);
    if (exact) return simulateInProcess(exact, request, rules, turn);
    throw new ApiError('rulesUnsupported', rules.refusal ?? 'nothing executes its rules');
  }

  private rulesOf({ network, block }: SimulationRequest): Promise<BlockRules> {
    return this.ports.rulesOf(network, block);
  }

  /** Whether a node applies overrides. Some nodes ignore them silently, so overrides are only sent to a node that applies these. */
  private async honours(rpc: RpcClient, tag: string, signal: AbortSignal): Promise<boolean> {
    const known = this.honoursOverrides.get(rpc);
    if (known !== undefined) return known;
    const answer = (await rpc.request('debug_traceCall', [{ to: PROBE }, tag, PROBE_OPTIONS], {
      signal,
    })) as { output?: unknown } | null;
    const honours = answer?.output === PROBE_OUTPUT;
    this.honoursOverrides.set(rpc, honours);
    return honours;
  }
}

/** EIP-7825: no block contains a transaction with more gas. A guessed hardfork refuses nothing. */
function requireGas({ gas }: SimulationCall, rules: BlockRules): void {
  const most = rules.isGuess || rules.later ? undefined : maxTransactionGas(rules);
  if (most === undefined || BigInt(gas) <= BigInt(most)) return;
  throw new ApiError(
    'simulationRejected',
    `the transaction cannot be executed: gas is ${BigInt(gas)}, a transaction may have up to ${most} (EIP-7825)`,
  );
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

type Outcome = PromiseSettledResult<unknown>;

async function run(
  rpc: RpcClient,
  tag: string,
  { call }: SimulationRequest,
  { stateOverrides, blockOverrides, rules }: RunOptions,
  signal: AbortSignal,
): Promise<Omit<SimulatedCall, 'method'>> {
  const traced = (tracer: object): RpcCall => ({
    method: 'debug_traceCall',
    params: [call, tag, { ...tracer, stateOverrides, blockOverrides }],
  });
  const nonce =
    stateOverrides[call.from]?.nonce ??
    ((await rpc.request('eth_getTransactionCount', [call.from, tag], { signal })) as Hex);
  const [callTrace, stateDiff, touched] = (await rpc.requestAll(
    [CALL_TRACER, CHANGES_TRACER, TOUCHED_TRACER].map(traced),
    { signal },
  )) as [Outcome, Outcome, Outcome];
  if (callTrace.status === 'rejected') throw callTrace.reason;
  const details = mayNeedDetails(callTrace.value)
    ? await detailsOf(rpc, traced(DETAIL_TRACER), signal)
    : undefined;
  const authorizations = call.authorizationList?.length ?? 0;
  const spentGas =
    usesStorage(touched) || authorizations > 0
      ? await spentOf(rpc, callTrace.value, traced(STEPS_TRACER), signal)
      : undefined;
  const failed = (callTrace.value as { error?: unknown } | null)?.error !== undefined;
  const gasUsed = Number((callTrace.value as { gasUsed?: Hex } | null)?.gasUsed ?? '0x0');
  const prestate = touched.status === 'fulfilled' ? touched.value : undefined;
  const charging = authorizations > 0 ? await rules() : undefined;
  const uncharged =
    charging !== undefined
      ? unchargedBySimulation({
          chainId: charging.chainId,
          hardfork: charging.hardfork,
          call,
          gasUsed,
          failed,
          spent: spentGas,
          touched: prestate,
        })
      : 0;
  return {
    callTrace:
      uncharged === 0
        ? callTrace.value
        : { ...(callTrace.value as object), gasUsed: toQuantity(gasUsed + uncharged) },
    details,
    stateDiff,
    touched: prestate,
    nonce,
    ...(spentGas && { spentGas }),
    ...(uncharged > 0 && { uncharged }),
    ...(call.blobVersionedHashes && { blobs: await blobsOf(rpc, call, tag, signal) }),
  };
}

/** Without storage there are no refunds, and the gas needs no refinement. */
const usesStorage = (touched: Outcome): boolean =>
  touched.status === 'rejected' ||
  Object.values((touched.value ?? {}) as Record<string, { storage?: unknown }>).some(
    ({ storage }) => storage !== undefined,
  );

/** Undefined if the node does not list instructions, or if there are too many. */
async function spentOf(
  rpc: RpcClient,
  callTrace: unknown,
  { method, params }: RpcCall,
  signal: AbortSignal,
): Promise<SpentGas | undefined> {
  const frame = (callTrace ?? {}) as { type?: string; gasUsed?: Hex; output?: Hex; error?: string };
  const { type, gasUsed, output = '0x', error } = frame;
  const gas = Number(gasUsed);
  if (!isListed(gas)) return undefined;
  const created = type === 'CREATE' && error === undefined ? output : '0x';
  try {
    const options = { signal, timeoutMs: STEPS_TIMEOUT_MS };
    return spentBySteps(await rpc.request(method, params, options), gas, created);
  } catch (cause) {
    if (signal.aborted) throw cause;
    return undefined;
  }
}

/** Undefined if the node does not run custom tracers. */
const detailsOf = (
  rpc: RpcClient,
  { method, params }: RpcCall,
  signal: AbortSignal,
): Promise<unknown> =>
  rpc.request(method, params, { signal, timeoutMs: DETAIL_TIMEOUT_MS }).catch(() => undefined);

async function blobsOf(
  rpc: RpcClient,
  { blobVersionedHashes = [] }: SimulationCall,
  tag: string,
  signal: AbortSignal,
): Promise<NonNullable<SimulatedCall['blobs']>> {
  const price = await blobPriceOfCalls(rpc, signal, tag);
  const gasUsed = toQuantity(GAS_PER_BLOB * BigInt(blobVersionedHashes.length));
  return { gasUsed, price: toQuantity(price) };
}

/** Addresses of all calls in the answer of `callTracer`, in lower case. */
function* calledBy(answer: unknown): Generator<string> {
  const open = [answer as { to?: unknown; calls?: unknown } | null];
  for (let frame = open.pop(); frame; frame = open.pop()) {
    if (typeof frame.to === 'string') yield frame.to.toLowerCase();
    if (Array.isArray(frame.calls)) for (const call of frame.calls as object[]) open.push(call);
  }
}

/** Whether a frame failed or destroyed its contract: `callTracer` does not report everything then. */
function mayNeedDetails(answer: unknown): boolean {
  const open = [answer as { type?: unknown; error?: unknown; calls?: unknown } | null];
  for (let frame = open.pop(); frame; frame = open.pop()) {
    if (frame.error !== undefined || frame.type === 'SELFDESTRUCT') return true;
    if (Array.isArray(frame.calls)) for (const call of frame.calls as object[]) open.push(call);
  }
  return false;
}

const REASON =
  /insufficient|intrinsic gas|nonce|fee cap|max fee|fee per gas|gas limit|gas required|gas (is )?too|init ?code|not an eoa|sender|authorization|overflow/i;

/** Converts an error of the node: `simulationRejected` if it concerns the transaction itself, else the given kind. */
function rejectedOr(kind: 'upstreamLacksData', error: RpcError): ApiError {
  const rejected = error.code === RPC_CODES.transactionRejected || REASON.test(error.message);
  return rejected
    ? new ApiError('simulationRejected', `the transaction cannot be executed: ${error.message}`, {
        cause: error,
      })
    : new ApiError(kind, `the transaction cannot be simulated: ${error.message}`, {
        cause: error,
      });
}

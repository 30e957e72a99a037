import { CHANGES_TRACER, TOUCHED_TRACER } from '../../analysis/execution-state';
import type { SpentGas } from '../../analysis/ports';
import type {
  SimulatedCall,
  SimulationCall,
  SimulationRequest,
} from '../../analysis/simulation/simulation';
import type { Hex } from '../../api/primitives';
import type { BlockOverrides, StateOverrides } from '../../api/simulate';
import type { RpcCall, RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { GAS_PER_BLOB } from '../../evm/rules/blob-price';
import type { BlockRules } from '../../evm/rules/block-rules';
import { isListed, spentBySteps, STEPS_TRACER } from '../points/spent-gas';
import { blobPriceOfCalls } from '../prefix/engine-blob-price';
import { DETAIL_TIMEOUT_MS, DETAIL_TRACER } from '../tracing/call-details';
import { CALL_TRACER } from '../tracing/debug-api';
import { unchargedBySimulation } from './uncharged-gas';

export interface Overrides {
  stateOverrides: StateOverrides;
  blockOverrides: BlockOverrides;
}

interface RunOptions extends Overrides {
  /** Read for authorizations only. */
  rules: () => Promise<BlockRules>;
}

/** Deadline of the trace that only refines the gas, milliseconds. */
const STEPS_TIMEOUT_MS = 10_000;

type Outcome = PromiseSettledResult<unknown>;

/** Traces a call with all tracers of an analysis. @throws RpcError of the node or engine */
export async function traceCall(
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

/** Whether a frame failed or destroyed its contract: `callTracer` does not report everything then. */
function mayNeedDetails(answer: unknown): boolean {
  const open = [answer as { type?: unknown; error?: unknown; calls?: unknown } | null];
  for (let frame = open.pop(); frame; frame = open.pop()) {
    if (frame.error !== undefined || frame.type === 'SELFDESTRUCT') return true;
    if (Array.isArray(frame.calls)) for (const call of frame.calls as object[]) open.push(call);
  }
  return false;
}

import { executionSteps } from '../../analysis/call-frame';
import type { LocatedExecution } from '../../analysis/executed-transaction';
import type { Network } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { OnProgress } from '../../api/progress';
import { inSlices } from '../../kernel/async/slices';
import { withDeadline } from '../../kernel/async/with-deadline';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { executedHardfork, type BlockRules } from '../../evm/rules/block-rules';
import { isSince, type ExecutedHardfork } from '../../evm/forms/hardfork-order';
import { knownChain } from '../../evm/families/known-chains';
import { isPrecompile } from '../../evm/rules/precompiles';
import type { Recorded } from './debugged-transaction';
import { UnknownResult } from '../../evm/interpreter/environment';
import type { RecordedCall } from '../../evm/interpreter/recorded-precompiles';
import { recordedGas, recordingInputs, type RecordingInputs } from '../recording/inputs';
import { Recording, RecordingTooLarge } from '../recording/recording';
import type { StatePoint } from './state-point';
import { verifyRecording } from './verify-recording';

export interface ToRecord {
  readonly located: LocatedExecution;
  /** Its block as the execution sees it. */
  readonly block: RpcBlockHeader;
  readonly rules: BlockRules;
  /** Result of `prestateTracer`. */
  readonly prestate: unknown;
  readonly point: StatePoint;
  /** Whether empty accounts are part of the state, if that is known. */
  readonly hasEmpty?: boolean;
  /** Hashes of earlier blocks that are known, by number. */
  readonly hashes?: ReadonlyMap<bigint, bigint>;
}

/** What to do about an execution that is too long. */
const ADVICE = 'simulate one of its calls, and debug the simulation';
/** Block hashes are fetched one by one up to this number, then all of them. */
const SINGLE_HASHES = 3;
/** BLOCKHASH reaches so many blocks back. */
const KNOWN_HASHES = 256;

/**
 * Records an execution from what was traced of it.
 * @throws ApiError `recordingTooLarge`, `recordingUnsupported`, `upstreamLacksData`, `timedOut`; the signal's reason
 */
export async function makeRecording(
  facts: ToRecord,
  signal: AbortSignal,
  onProgress?: OnProgress,
): Promise<Recorded> {
  const timeoutMs = LIMITS.recordingTime;
  const limits = { signal, timeoutMs, what: 'the recording', advice: ADVICE };
  return withDeadline(limits, async (limited) => {
    const {
      rules: { hardfork },
      hasEmpty,
    } = facts;
    const recorded = await record(facts, hasEmpty ?? false, limited, onProgress);
    const isOld = hasEmpty === undefined && !isSince(hardfork, 'spuriousDragon');
    if (recorded.verification.level !== 'different' || !isOld) return recorded;
    // Tracers do not say which empty accounts are part of the state: the receipt decides.
    const again = await record(facts, true, limited, onProgress);
    return again.verification.level === 'different' ? recorded : again;
  });
}

async function record(
  facts: ToRecord,
  hasEmpty: boolean,
  signal: AbortSignal,
  onProgress: OnProgress | undefined,
): Promise<Recorded> {
  const { located, point } = facts;
  const { executed } = located;
  const total = Number(executed.mined.receipt.gasUsed);
  const hashes = new Map(facts.hashes);
  for (;;) {
    const inputs = readInputs(facts, hasEmpty, hashes);
    const recording = new Recording(inputs.environment, inputs.prestate);
    try {
      await inSlices(recording.work(), signal, () => {
        onProgress?.({ stage: 'recording', done: Math.min(recording.spent, total), total });
      });
      const verification = withWarnings(verifyRecording(recording, inputs.floor, executed), facts);
      return { located, point, inputs, recording, verification };
    } catch (error) {
      if (error instanceof RecordingTooLarge) {
        throw new ApiError('recordingTooLarge', `${error.message}: ${ADVICE}`);
      }
      if (!(error instanceof UnknownResult)) throw error;
      await addHashes(hashes, error.block, facts, signal);
    }
  }
}

/** A recording executes under rules of its own choice, also where a node made the trace. */
function withWarnings(
  verification: Recorded['verification'],
  { rules, located }: ToRecord,
): Recorded['verification'] {
  const warnings = new Set(rules.warnings.concat(located.executed.trace.warnings ?? []));
  return warnings.size === 0 ? verification : { ...verification, warnings: [...warnings] };
}

/** @throws ApiError `recordingUnsupported` for a chain whose rules are not those of Ethereum; an engine executes a fork of it */
export function requireKnownRules({ key, chainId, replayable }: Network): void {
  if (!replayable || !knownChain(chainId).hasOwnGas) return;
  throw new ApiError(
    'recordingUnsupported',
    `transactions of ${key} cannot be recorded: ${knownChain(chainId).differences ?? ''}; simulate the call on a fork of the chain, and debug the simulation`,
  );
}

/** @throws ApiError `recordingUnsupported` */
export function requireKnownType({ located, rules }: Pick<ToRecord, 'located' | 'rules'>): void {
  const { transaction } = located.executed.mined;
  if (recordedGas(transaction, executedHardfork(rules))) return;
  throw new ApiError(
    'recordingUnsupported',
    `transactions of type ${Number(transaction.type)} cannot be recorded, because their rules are the chain's own; simulate its call, and debug the simulation`,
  );
}

/** @throws ApiError `recordingUnsupported`, `upstreamLacksData` */
function readInputs(
  facts: ToRecord,
  hasEmpty: boolean,
  hashes: ReadonlyMap<bigint, bigint>,
): RecordingInputs {
  requireKnownRules(facts.located.network);
  requireKnownType(facts);
  const { located, block, prestate } = facts;
  const { blobFraction } = facts.rules;
  const hardfork = executedHardfork(facts.rules);
  const { network, executed } = located;
  const { transaction, receipt } = executed.mined;
  const { chainId } = network;
  const extraPrecompiles = executedPrecompiles(facts);
  const root = precompileCalls(executed.trace.root, hardfork, extraPrecompiles);
  try {
    return recordingInputs({
      transaction,
      receipt,
      block,
      chainId,
      hardfork,
      prestate,
      hasEmpty,
      root,
      hashes,
      extraPrecompiles,
      ...(blobFraction === undefined ? {} : { blobFraction }),
    });
  } catch (error) {
    throw new ApiError(
      'upstreamLacksData',
      `the node of ${network.key} returned an unexpected state for ${transaction.hash}: use another endpoint of the chain`,
      { cause: error },
    );
  }
}

/** Precompiled contracts besides those of the hardfork: the chain's nodes execute them, and engines do not. */
const executedPrecompiles = ({ located: { network, executed }, rules }: ToRecord): string[] =>
  network.replayable && network.standsForFork !== true && executed.trace.method === 'debug'
    ? [...rules.extraPrecompiles]
    : [];

/** The top call, and of the others those of precompiled contracts. */
function precompileCalls(
  top: LocatedExecution['executed']['trace']['root'],
  hardfork: ExecutedHardfork,
  extra: readonly string[],
): RecordedCall {
  const calls: RecordedCall[] = [];
  const recorded = ({ type, to, input, output, gasUsed, error }: typeof top): RecordedCall => ({
    type,
    input,
    output,
    gasUsed: toQuantity(gasUsed),
    ...(to !== null && { to }),
    ...(error !== undefined && { error }),
  });
  for (const { frame, log, depth } of executionSteps(top)) {
    if (log || depth === 0 || frame.to === null || !isPrecompile(frame.to, hardfork, extra)) {
      continue;
    }
    calls.push(recorded(frame));
  }
  return { ...recorded(top), calls };
}

/** @throws ApiError `upstreamLacksData` */
async function addHashes(
  hashes: Map<bigint, bigint>,
  wanted: bigint,
  { located: { network }, block }: ToRecord,
  signal: AbortSignal,
): Promise<void> {
  const numbers = [wanted];
  if (hashes.size >= SINGLE_HASHES) {
    for (let back = 1; back <= KNOWN_HASHES; back++) {
      const number = BigInt(block.number) - BigInt(back);
      if (number >= 0n && number !== wanted && !hashes.has(number)) numbers.push(number);
    }
  }
  for (const [number, hash] of await fetchHashes(network.rpc, numbers, signal)) {
    hashes.set(number, hash);
  }
  if (hashes.has(wanted)) return;
  throw new ApiError(
    'upstreamLacksData',
    `the node of ${network.key} does not return block ${wanted}, whose hash the transaction reads: use an endpoint of the chain that has it`,
  );
}

async function fetchHashes(
  rpc: RpcClient,
  numbers: readonly bigint[],
  signal: AbortSignal,
): Promise<[bigint, bigint][]> {
  const answers = await rpc.requestAll(
    numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      params: [toQuantity(number), false],
    })),
    { signal },
  );
  return answers.flatMap((answer, index) => {
    const hash = answer.status === 'fulfilled' && (answer.value as RpcBlockHeader | null)?.hash;
    const number = numbers[index];
    return hash && number !== undefined ? [[number, BigInt(hash)] as [bigint, bigint]] : [];
  });
}

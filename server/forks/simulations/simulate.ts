import { ApiError } from '../../api/errors';
import { RPC_CODES } from '../../api/rpc-codes';
import type { Fields } from '../../evm/forms/fields';
import { isMethodMissing, RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import { requestInTurn } from '../reads/batches';
import { blockNumberOf, headOf } from '../reads/block-numbers';
import type { RunningFork } from '../reads/running-fork';
import { assembleBlock, senderOf } from './assemble';
import { simulationError, type EngineCall } from './call-results';
import { GasSpending } from './gas-spending';
import { parsePayload, type SimulationPayload } from './payload';
import { engineOverrides, planBlocks, type BlockOutcome, type PlannedBlock } from './plan';
import { withBlobPrices } from './simulate-prices';
import { firstRefused } from './validation';

/** Number of calls up to which the first pass finds exactly the gas that each leaves for the next. */
const MAX_STEPS = 32;
/** Maximum number of times that the engine executes one simulation while contexts depend on earlier results. */
const MAX_PASSES = 12;

/**
 * `eth_simulateV1`. The engine executes the calls. The context and the results of the blocks are computed here, because the engine numbers
 * blocks wrongly and omits most of their members.
 * @throws RpcError with the codes of execution-apis
 */
export async function simulate(fork: RunningFork, params: readonly unknown[]): Promise<unknown> {
  const given = parsePayload(params[0]);
  const payload = {
    ...given,
    maxGas: given.validation ? fork.maxGas : undefined,
    baseFee: fork.writer.baseFee,
  };
  const block = params[1] ?? 'latest';
  const number = await blockNumberOf(fork, block === 'pending' ? 'latest' : block);
  if (number === undefined || number > headOf(fork))
    throw new RpcError(RPC_CODES.invalidInput, 'header not found');
  if (number < fork.forkBlock) return simulateBefore(fork, params[0], toQuantity(number));
  return simulateOn(fork, payload, toQuantity(number));
}

/** Simulates on a block of the forked chain before the fork point. */
async function simulateBefore(
  { upstream }: RunningFork,
  payload: unknown,
  block: string,
): Promise<unknown> {
  try {
    const blocks = (await upstream.request('eth_simulateV1', [payload, block])) as Fields[];
    // Development nodes number the blocks wrongly, and omit their size.
    const areWhole = Array.isArray(blocks) && blocks.every(({ size }) => typeof size === 'string');
    if (areWhole) return blocks;
  } catch (error) {
    const lacking = error instanceof ApiError && error.kind === 'upstreamLacksData';
    if (!lacking && !isMethodMissing(error)) throw error;
  }
  throw new RpcError(
    RPC_CODES.notSupported,
    `eth_simulateV1 on block ${Number(block)} is not available: it is older than the fork, and the forked chain's node does not offer the method as the standard defines it`,
  );
}

async function simulateOn(
  fork: RunningFork,
  payload: SimulationPayload,
  block: string,
): Promise<readonly Fields[]> {
  const base = await baseOf(fork, block);
  const nonces = await noncesAt(fork, payload, block);
  const spending = new GasSpending();
  const first = planBlocks(base, payload, []);
  spending.require(first, isStepwise(first));
  let outcomes = await firstOutcomes(fork, payload, first, { base, block, nonces, spending });
  let asked = '';
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const planned = planBlocks(base, payload, outcomes);
    const request = engineRequest(planned, payload, outcomes);
    const found = await execute(fork, planned, { request, block, nonces, spending });
    const results = await withBlobPrices(fork, planned, { base, block, request }, found);
    const blocks = assemble(fork, planned, results, { payload, base, nonces });
    const next = JSON.stringify(request);
    if (next === asked || isIndependent(planned, payload)) return blocks;
    asked = next;
    outcomes = blocks.map(outcomeOf);
  }
  throw new RpcError(
    RPC_CODES.simulationTooLarge,
    `the blocks of the simulation depend on each other in more than ${MAX_PASSES} steps`,
  );
}

/** The block that the simulation starts from, with its excess blob gas by the chain's rules. */
async function baseOf({ engine, blobGas }: RunningFork, block: string): Promise<Fields> {
  const base = (await engine.request('eth_getBlockByNumber', [block, false])) as Fields;
  if (!blobGas || base['excessBlobGas'] === undefined) return base;
  const excess = blobGas.excessOf(base as unknown as RpcBlockHeader);
  return { ...base, excessBlobGas: toQuantity(excess) };
}

/** Whether no context depends on an execution. */
const isIndependent = (
  planned: readonly PlannedBlock[],
  { validation }: SimulationPayload,
): boolean =>
  planned.length === 1 &&
  !validation &&
  planned.every(({ calls }) => calls.length < 2 || calls.every(({ gas }) => gas !== undefined));

/** Whether there are few enough calls to find the gas that each leaves for the next. */
const isStepwise = (planned: readonly PlannedBlock[]): boolean =>
  planned.reduce((count, { calls }) => count + calls.length, 0) <= MAX_STEPS;

/**
 * Finds the gas that each call uses, if the gas of later calls depends on it. Calls are added one by one, so that each gets the gas that is
 * left, and is valid or invalid as it would be in a block.
 */
async function firstOutcomes(
  fork: RunningFork,
  payload: SimulationPayload,
  first: readonly PlannedBlock[],
  { base, block, nonces, spending }: SimulationProgress,
): Promise<readonly BlockOutcome[]> {
  let outcomes: readonly BlockOutcome[] = [];
  const all = first.flatMap(({ calls }) => calls);
  const isOpen = all.some(({ gas }) => gas === undefined);
  if (!isOpen || all.length < 2 || !isStepwise(first)) return outcomes;
  for (let count = 1; count < all.length; count++) {
    const planned = truncateBlocks(count, planBlocks(base, payload, outcomes));
    const request = engineRequest(planned, payload, []);
    const results = await execute(fork, planned, { request, block, nonces, spending });
    outcomes = results.map((calls) => {
      const gasUsedByCall = calls.map(({ gasUsed }) => BigInt(gasUsed));
      return { gasUsedByCall, gasUsed: gasUsedByCall.reduce((sum, gas) => sum + gas, 0n) };
    });
  }
  return outcomes;
}

/** The blocks with the first `count` calls. */
function truncateBlocks(count: number, planned: readonly PlannedBlock[]): PlannedBlock[] {
  let rest = count;
  const truncated: PlannedBlock[] = [];
  for (const block of planned) {
    if (rest === 0) break;
    truncated.push({ ...block, calls: block.calls.slice(0, rest) });
    rest -= Math.min(rest, block.calls.length);
  }
  return truncated;
}

const outcomeOf = ({ hash, gasUsed, calls }: Fields): BlockOutcome => ({
  hash: hash as string,
  gasUsed: BigInt(gasUsed as string),
  gasUsedByCall: (calls as { gasUsed: string }[]).map((call) => BigInt(call.gasUsed)),
});

async function noncesAt(
  { engine }: RunningFork,
  { blocks }: SimulationPayload,
  block: string,
): Promise<ReadonlyMap<string, bigint>> {
  const senders = [...new Set(blocks.flatMap(({ calls }) => calls.map(senderOf)))];
  const found = await requestInTurn(
    engine,
    senders.map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, block] })),
  );
  return new Map(senders.map((sender, index) => [sender, BigInt(found[index] as string)]));
}

function engineRequest(
  planned: readonly PlannedBlock[],
  { traceTransfers, validation }: SimulationPayload,
  outcomes: readonly BlockOutcome[],
): Fields {
  const blockStateCalls = planned.map((one, index) => ({
    blockOverrides: engineOverrides(one, outcomes[index - 1]?.hash),
    stateOverrides: one.stateOverrides,
    calls: one.calls.map((call, at) => engineCall(call, one.gas[at] ?? 0n, validation)),
  }));
  return { blockStateCalls, traceTransfers, validation };
}

/** Without validation, a nonce is only reported; the engine would check it. */
function engineCall(call: Fields, gas: bigint, validation: boolean): Fields {
  const { nonce, data, input = data, maxFeePerBlobGas, ...rest } = call;
  return {
    ...rest,
    gas: toQuantity(gas),
    ...(input === undefined ? {} : { input }),
    ...(validation && nonce !== undefined ? { nonce } : {}),
    // The engine takes a call for one with blobs by its type alone.
    ...(call['blobVersionedHashes'] === undefined
      ? {}
      : { type: '0x3', maxFeePerBlobGas: maxFeePerBlobGas ?? '0x0' }),
  };
}

/** The starting point of a simulation. */
interface SimulationProgress {
  base: Fields;
  /** Block number as a quantity. */
  block: string;
  /** Nonces of the senders before the simulation. */
  nonces: ReadonlyMap<string, bigint>;
  spending: GasSpending;
}

/**
 * Executes the calls on the engine.
 * @returns results by block
 * @throws RpcError with the codes of execution-apis for a call that is not a valid transaction
 */
async function execute(
  { engine, maxGas }: RunningFork,
  planned: readonly PlannedBlock[],
  { request, block, nonces, spending }: Omit<SimulationProgress, 'base'> & { request: Fields },
): Promise<EngineCall[][]> {
  const refused =
    request['validation'] === true ? firstRefused(planned, nonces, maxGas) : undefined;
  const all = request['blockStateCalls'] as { calls: unknown[] }[];
  // Calls before one with too low a fee may fail first.
  const executed = refused
    ? all
        .slice(0, refused.block + 1)
        .map((one, index) =>
          index < refused.block ? one : { ...one, calls: one.calls.slice(0, refused.call) },
        )
    : all;
  const answer = (await engine
    .request('eth_simulateV1', [{ ...request, blockStateCalls: executed }, block])
    .catch((error: unknown) => {
      throw simulationError(error);
    })) as { calls: EngineCall[] }[];
  const results = planned.map((_, index) => answer[index]?.calls ?? []);
  spending.add(results);
  planned.forEach((one, index) => {
    checkBlockGas(one, results[index] ?? []);
  });
  if (refused) throw refused.error;
  return results;
}

function assemble(
  { chainId, hardfork, blobRules }: RunningFork,
  planned: readonly PlannedBlock[],
  results: readonly EngineCall[][],
  {
    payload,
    base,
    nonces,
  }: Omit<SimulationProgress, 'block' | 'spending'> & { payload: SimulationPayload },
): Fields[] {
  const { fullTransactions } = payload;
  const moved = new Map(nonces);
  let parent = base;
  return planned.map((one, index) => {
    const context = { chainId, hardfork, blobRules, parent, nonces: moved, fullTransactions };
    return (parent = assembleBlock(one, results[index] ?? [], context));
  });
}

function checkBlockGas(
  { gasLimit, gas, number, calls: planned }: PlannedBlock,
  calls: readonly EngineCall[],
): void {
  let used = 0n;
  for (const [index, call] of calls.entries()) {
    if (planned[index]?.['gas'] !== undefined && (gas[index] ?? 0n) > gasLimit - used) {
      throw new RpcError(
        RPC_CODES.blockGasLimitExceeded,
        `block gas limit reached: call ${index} of block ${number} has gas ${gas[index] ?? 0n}, ${gasLimit - used} are left`,
      );
    }
    used += BigInt(call.gasUsed);
  }
}

import { ApiError, invalidField } from '../../api/errors';
import type { Address, Hash, Hex } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type { BlockOverrides, SimulateBody, StateOverrides } from '../../api/simulate';
import type { BalanceComparison } from '../../api/verification';
import type { Analysis } from '../../api/views';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import type { ExecutedTransaction } from '../executed-transaction';
import { readExecutionState } from '../execution-state';
import { charged, type BalanceChanges } from '../gas/charge';
import type { MinedTransaction, Network, RawStateDiff, SpentGas } from '../ports';
import { completeChanges } from '../state/complete-changes';
import { readCallTrace } from '../traces/call-tracer';
import type { AnalysisService } from '../views/analysis-service';

/** The block in which a simulation runs. */
export interface SimulationBlock {
  readonly network: Network;
  readonly block: RpcBlock;
  /** Block tag or number for the network's node; it selects the state after the block. */
  readonly tag: string;
}

export interface SimulationNetworks {
  /**
   * @param place height: `latest`, `safe`, or a number in hex; position: number of the block's transactions before the simulated one,
   * undefined for all; field: name that the caller wrote the height by, for errors, by default height
   * @throws ApiError `chainNotFound`; `invalidField` for a block above the head
   */
  at(
    chain: string,
    place: Pick<SimulateBody, 'height' | 'position'> & { field?: string | undefined },
    signal?: AbortSignal,
  ): Promise<SimulationBlock>;
}

/** Fields of `debug_traceCall`'s first parameter. */
export interface SimulationCall extends Pick<
  SimulateBody,
  | 'from'
  | 'value'
  | 'gasPrice'
  | 'maxFeePerGas'
  | 'maxPriorityFeePerGas'
  | 'accessList'
  | 'blobVersionedHashes'
  | 'maxFeePerBlobGas'
> {
  readonly to?: Address;
  readonly data: Hex;
  readonly gas: Hex;
  readonly authorizationList?: SimulateBody['authorizationList'];
}

export interface SimulationRequest extends SimulationBlock {
  /** Number of the block's transactions before the simulated one. */
  readonly position: number;
  readonly call: SimulationCall;
  readonly stateOverrides: StateOverrides;
  readonly blockOverrides: BlockOverrides;
}

/** Tracer results, unchanged from the node or engine. */
export interface SimulatedCall {
  readonly method: 'debug' | 'replay';
  /** What executed it, if it is neither the node nor an engine. */
  readonly executor?: 'process';
  /** Result of `callTracer` with logs. */
  readonly callTrace: unknown;
  /**
   * A tree of the same calls with the logs of failed frames and the value of each self-destruction; undefined if not needed or not offered.
   */
  readonly details: unknown;
  /** Result of `prestateTracer`; undefined if there is none. */
  readonly touched: unknown;
  /** Result of `prestateTracer` with `diffMode`. */
  readonly stateDiff: PromiseSettledResult<unknown>;
  /** Nonce of the sender before the transaction. */
  readonly nonce: Hex;
  /** Gas of the transaction's blobs, and the price of that gas in wei. */
  readonly blobs?: { readonly gasUsed: Hex; readonly price: Hex };
  /** Undefined if not requested or unknown. */
  readonly spentGas?: SpentGas;
  /** What an engine's execution assumes or lacks, one sentence each. */
  readonly warnings?: readonly string[];
  /** Whether the execution depends on something that the engine lacks: nothing about it is verified. */
  readonly isIncomplete?: boolean;
  /** Gas that `callTrace` contains, but whose price is not in the balances of `stateDiff`. */
  readonly uncharged?: number;
}

export interface CallSimulator {
  /** @throws ApiError `simulationRejected`, `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  simulate(
    request: SimulationRequest,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<SimulatedCall>;
}

/** Analyses transactions that were not sent. */
export class Simulation {
  constructor(
    private readonly networks: SimulationNetworks,
    private readonly calls: CallSimulator,
    private readonly analysis: Pick<AnalysisService, 'ofExecution'>,
  ) {}

  /** @param user id of the user @throws ApiError `chainNotFound`, `invalidField`, and as `CallSimulator` */
  async simulate(
    chain: string,
    body: SimulateBody,
    user: string,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress },
  ): Promise<Analysis> {
    const limits = { signal, ...(onProgress && { onProgress }) };
    const { request, answer, executed } = await this.execute(chain, body, limits);
    const { network, block, position } = request;
    const { verification, ...views } = await this.analysis.ofExecution(
      { network: { ...network, user }, executed },
      () => Promise.resolve(rawDiff(answer, executed.trace.changes)),
      signal,
    );
    const { native, tokens, compared, untold }: BalanceComparison = answer.isIncomplete
      ? NOTHING_VERIFIED
      : (verification ?? {});
    const { warnings = [] } = answer;
    const isOfNode = answer.method === 'debug' && network.replayable && !network.standsForFork;
    return {
      ...views,
      simulation: {
        method: answer.method,
        executor: answer.executor ?? (isOfNode ? 'node' : 'anvil'),
        blockNumber: Number(block.number),
        position,
        ...(warnings.length > 0 && { warnings: [...warnings] }),
        ...(native && { native }),
        ...(tokens && { tokens }),
        ...(compared && { compared }),
        ...(untold && { untold }),
      },
    };
  }

  /** Executes without analysing. @throws ApiError as `simulate` */
  async execute(
    chain: string,
    body: SimulateBody,
    { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress },
  ): Promise<SimulatedExecution> {
    const place = await this.networks.at(chain, body, signal);
    const request = toRequest(place, body);
    const answer = await this.calls.simulate(request, signal, onProgress);
    return { request, answer, executed: toExecution(request, answer) };
  }
}

const NOTHING_VERIFIED: BalanceComparison = { native: 'unchecked', tokens: 'unchecked' };

/** An executed simulation. */
export interface SimulatedExecution {
  readonly request: SimulationRequest;
  readonly answer: SimulatedCall;
  readonly executed: ExecutedTransaction;
}

/** The block as a simulation sees it. */
export function blockOf({ block, blockOverrides }: SimulationRequest): RpcBlock {
  const { number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas } = blockOverrides;
  return {
    ...block,
    ...(number && { number }),
    ...(time && { timestamp: time }),
    ...(gasLimit && { gasLimit }),
    ...(feeRecipient && { miner: feeRecipient }),
    ...(prevRandao && { mixHash: prevRandao }),
    ...(baseFeePerGas && { baseFeePerGas }),
  };
}

/** EIP-7825: gas limit of one transaction. */
const DEFAULT_GAS = 16_777_216n;

function toRequest(simulationBlock: SimulationBlock, body: SimulateBody): SimulationRequest {
  const { network, block } = simulationBlock;
  const count = block.transactions.length;
  const { position = count, nonce, from } = body;
  if (position > count) {
    const transactions = count === 1 ? '1 transaction' : `${count} transactions`;
    const accepted = `0 to ${count}: block ${Number(block.number)} of ${network.key} has ${transactions}`;
    throw invalidField('position', position, accepted);
  }
  if (position < count && BigInt(block.number) === 0n) {
    throw invalidField('position', position, 'none for block 0: there is no block before it');
  }
  requirePrice(body, body.blockOverrides.baseFeePerGas ?? block.baseFeePerGas);
  const limit = BigInt(body.blockOverrides.gasLimit ?? block.gasLimit);
  const gas = body.gas ?? toHex(limit < DEFAULT_GAS ? limit : DEFAULT_GAS);
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas = '0x0' } = body;
  const { accessList, authorizationList } = body;
  const { blobVersionedHashes, maxFeePerBlobGas } = body;
  return {
    ...simulationBlock,
    network: named(network, body.rules),
    position,
    call: {
      from,
      ...(body.to ? { to: body.to } : {}),
      value: body.value,
      data: body.data ?? body.input ?? '0x',
      gas,
      ...(gasPrice && { gasPrice }),
      // Engines replace a missing tip by the maximum fee.
      ...(maxFeePerGas && { maxFeePerGas, maxPriorityFeePerGas }),
      ...(accessList && { accessList }),
      ...(authorizationList && { authorizationList }),
      ...(blobVersionedHashes && { blobVersionedHashes, maxFeePerBlobGas }),
    },
    // Nodes read a call's nonce from the state.
    stateOverrides:
      nonce === undefined
        ? body.stateOverrides
        : { ...body.stateOverrides, [from]: { ...body.stateOverrides[from], nonce } },
    blockOverrides: body.blockOverrides,
  };
}

/** @throws ApiError `invalidField` for a fork, whose engine has its rules */
function named(network: Network, rules: SimulateBody['rules']): Network {
  if (rules === undefined) return network;
  if (network.replayable) return { ...network, named: rules };
  throw invalidField('rules', rules, 'none for a fork: its rules are those of its creation');
}

/** No block accepts a price below its base fee (EIP-1559); nodes differ on whether a call may have one. */
function requirePrice({ gasPrice, maxFeePerGas }: SimulateBody, baseFee: Hex = '0x0'): void {
  const price = gasPrice ?? maxFeePerGas;
  if (price === undefined || BigInt(price) >= BigInt(baseFee)) return;
  const name = gasPrice === undefined ? 'maxFeePerGas' : 'gasPrice';
  throw new ApiError(
    'simulationRejected',
    `the transaction cannot be executed: ${name} is ${BigInt(price)} wei, and the base fee ${BigInt(baseFee)} wei`,
  );
}

/** The unsigned transaction as if it were in the block. */
export function transactionOf(
  { block, position, call }: SimulationRequest,
  nonce: Hex,
): RpcTransaction {
  return {
    hash: NO_HASH,
    blockHash: block.hash,
    blockNumber: block.number,
    transactionIndex: toHex(BigInt(position)),
    type: typeOf(call),
    nonce,
    from: call.from,
    to: call.to ?? null,
    value: call.value,
    gas: call.gas,
    input: call.data,
    ...(call.accessList && { accessList: call.accessList }),
    ...(call.authorizationList && { authorizationList: call.authorizationList }),
    ...(call.blobVersionedHashes && { blobVersionedHashes: call.blobVersionedHashes }),
    ...(call.maxFeePerBlobGas && { maxFeePerBlobGas: call.maxFeePerBlobGas }),
    ...(call.gasPrice && { gasPrice: call.gasPrice }),
    ...(call.maxFeePerGas && { maxFeePerGas: call.maxFeePerGas }),
    ...(call.maxPriorityFeePerGas && { maxPriorityFeePerGas: call.maxPriorityFeePerGas }),
  };
}

/** The transaction as if it were in the block. The trace supplies the facts of the receipt. */
function toExecution(request: SimulationRequest, answer: SimulatedCall): ExecutedTransaction {
  const { block, position, call, stateOverrides, blockOverrides } = request;
  const { feeRecipient: miner = block.miner, baseFeePerGas = block.baseFeePerGas } = blockOverrides;
  const header = { ...block, miner, ...(baseFeePerGas === undefined ? {} : { baseFeePerGas }) };
  const transaction = transactionOf(request, answer.nonce);
  const { blobs } = answer;
  const { gasUsed, error } = (answer.callTrace ?? {}) as { gasUsed?: Hex; error?: unknown };
  const receipt: RpcReceipt = {
    transactionHash: NO_HASH,
    transactionIndex: toHex(BigInt(position)),
    blockHash: block.hash,
    blockNumber: block.number,
    from: call.from,
    to: call.to ?? null,
    contractAddress: null,
    gasUsed: gasUsed ?? '0x0',
    cumulativeGasUsed: gasUsed ?? '0x0',
    effectiveGasPrice: priceOf(call, baseFeePerGas),
    ...(blobs && { blobGasUsed: blobs.gasUsed, blobGasPrice: blobs.price }),
    status: error === undefined || error === '' ? '0x1' : '0x0',
    logs: [],
  };
  const mined = { transaction, receipt, block: header };
  const codes = Object.entries(stateOverrides).flatMap(([address, { code }]) =>
    code === undefined ? [] : [[address as Address, code] as const],
  );
  const { stateDiff, touched, method, spentGas, warnings, uncharged = 0 } = answer;
  const read = readCallTrace(answer.callTrace, mined, answer.details);
  const changes =
    stateDiff.status === 'fulfilled'
      ? completeChanges(paid(stateDiff.value, mined, uncharged), touched, read.root, mined)
      : undefined;
  const state = changes === undefined ? undefined : readExecutionState(touched, changes);
  return {
    mined,
    trace: {
      ...read,
      method,
      ...(answer.executor && { executor: answer.executor }),
      ...(touched === undefined ? {} : { prestate: touched }),
      ...(state && { state }),
      ...(spentGas && { spentGas }),
      ...(warnings && { warnings }),
      ...(changes === undefined ? {} : { changes }),
    },
    isSimulated: true,
    ...(codes.length === 0 ? {} : { overriddenCode: new Map(codes) }),
  };
}

const paid = (changes: unknown, mined: MinedTransaction, uncharged: number): unknown =>
  uncharged === 0 ? changes : charged(mined, changes as BalanceChanges, BigInt(uncharged));

/** An unsigned transaction has no hash. */
const NO_HASH = '' as Hash;

const typeOf = (call: SimulationCall): Hex =>
  call.blobVersionedHashes
    ? '0x3'
    : call.authorizationList
      ? '0x4'
      : call.maxFeePerGas
        ? '0x2'
        : call.accessList
          ? '0x1'
          : '0x0';

/** Effective gas price by EIP-1559, wei. */
function priceOf(call: SimulationCall, baseFee: Hex | undefined): Hex {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas: tip = '0x0' } = call;
  if (maxFeePerGas === undefined) return gasPrice ?? '0x0';
  const wanted = BigInt(baseFee ?? '0x0') + BigInt(tip);
  return wanted < BigInt(maxFeePerGas) ? toHex(wanted) : maxFeePerGas;
}

const toHex = (value: bigint): Hex => `0x${value.toString(16)}`;

/** @param changes the completed changes of the answer */
function rawDiff({ stateDiff, method }: SimulatedCall, changes: unknown): RawStateDiff {
  if (stateDiff.status === 'fulfilled') return { answer: changes, method };
  const cause: unknown = stateDiff.reason;
  throw new ApiError(
    'upstreamLacksData',
    `the state difference is not available: ${cause instanceof Error ? cause.message : 'no answer'}`,
    { cause },
  );
}

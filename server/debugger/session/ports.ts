import type { LocatedExecution } from '../../analysis/executed-transaction';
import type { MinedTransaction, Network, TransactionTrace } from '../../analysis/ports';
import type { BlockRules } from '../../evm/rules/block-rules';
import type { OnProgress } from '../../api/progress';
import type { Hash } from '../../api/primitives';
import type { SimulateBody } from '../../api/simulate';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { Recorded } from './debugged-transaction';
import type { StatePoint } from './state-point';

/** What transactions read, as before them. */
export interface PrestateSource {
  /**
   * @returns result of `prestateTracer`
   * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut`
   */
  prestate(
    network: Network,
    mined: MinedTransaction,
    trace: TransactionTrace,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<unknown>;
}

/** Traced transactions that are in a block. */
export interface ExecutionSource {
  /** @throws ApiError as `ExecutionLocator.locate` */
  locate(
    request: { readonly chain: string; readonly hash: Hash; readonly user?: string },
    options: { readonly signal: AbortSignal; readonly onProgress?: OnProgress | undefined },
  ): Promise<LocatedExecution>;
  /** Identifies the contracts of a trace. */
  identified(
    execution: Pick<LocatedExecution, 'network' | 'executed'>,
    signal: AbortSignal,
  ): Promise<LocatedExecution>;
}

/** What was simulated. */
export interface SimulatedTransaction {
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  /** With the number of its block, and its position in it. */
  readonly body: SimulateBody;
}

export interface LocatedSimulation {
  readonly located: LocatedExecution;
  /** The block as the transaction sees it, with overrides. */
  readonly block: RpcBlockHeader;
  readonly point: StatePoint;
}

/** Traced transactions that were not sent. */
export interface SimulationSource {
  /** @throws ApiError as `Simulation.simulate` */
  locate(
    chain: string,
    body: SimulateBody,
    options: {
      readonly signal: AbortSignal;
      readonly onProgress?: OnProgress;
      readonly user?: string | undefined;
    },
  ): Promise<LocatedSimulation>;
}

/** Tests that were executed outside of any chain. */
export interface TestSource {
  /** @returns undefined if there is no such test, or it is no longer kept */
  find(chain: string, id: Hash): RecordTest | undefined;
}

/** Records a test. @throws ApiError `transactionNotFound`, `recordingTooLarge`, `recordingUnsupported`, `timedOut`; the signal's reason */
export type RecordTest = (
  user: string | undefined,
  signal: AbortSignal,
  onProgress: OnProgress,
) => Promise<Recorded>;

/** @throws ApiError `rulesUnsupported` */
export type BlockRulesOf = (network: Network, block: RpcBlockHeader) => Promise<BlockRules>;

import { ApiError } from '../../api/errors';
import type { Address, Hex } from '../../api/primitives';
import type { OnProgress } from '../../api/progress';
import type {
  MinedTransaction,
  Network,
  TraceSource,
  TransactionTrace,
} from '../../analysis/ports';
import type { RpcClient } from '../../evm/forms/json-rpc';
import type { AccessListEntry, RpcBlock } from '../../evm/forms/types';
import { LIMITS } from '../../api/limits';
import type { BlockInParts } from '../prefix/upstream-block';
import { settled } from '../../kernel/async/settled';
import { withSecondAttempt } from '../../kernel/async/second-attempt';
import { withDeadline } from '../../kernel/async/with-deadline';
import { knownChain } from '../../evm/families/known-chains';
import { isOpFeeRecipient } from '../../evm/families/op-stack/upgrades';
import { exactExecution, type EngineAtPositionPorts } from '../engines/engine-at-position';
import { replayInProcess } from './replay-in-process';
import { lacksData, requireExecutableForm } from '../engines/block-of-transaction';
import { fetchBlockInPartsOf, replayOnForkedEngine } from './replay-on-forked-engine';
import { predictReads, loadState } from './prefetch';
import {
  replayWithOverrides,
  type Prefix,
  type OverridesReplayOptions,
} from './replay-with-overrides';
import type { Executions } from '../engines/executions';
import { withWarnings } from '../engines/execution-warnings';
import { WarmEngines } from '../engines/warm-engines';

export interface ReplayTraceSourceOptions {
  timeoutMs?: number;
  /** Time of the engine after which a thread executes the transaction as well. */
  patienceMs?: number;
}

/** The engine's time for a trace is quadratic in the calls of a frame. Other transactions take less. */
const PATIENCE_MS = 10_000;

/**
 * Traces by executing the transaction again on an engine. The first attempt (`replayWithOverrides`) sends the state with
 * each call and executes a part of the earlier transactions. If that does not produce the receipt, a fork of the chain executes all of them
 * (`replayOnForkedEngine`). If the first attempt takes long, a thread of the service executes the block as well, and the earlier trace
 * counts. Needs an archive node, but no debug API.
 */
export class ReplayTraceSource implements TraceSource {
  readonly #timeoutMs: number;
  readonly #patienceMs: number;
  readonly #engines: WarmEngines;

  constructor(
    private readonly ports: EngineAtPositionPorts,
    private readonly executions: Executions,
    options: ReplayTraceSourceOptions = {},
  ) {
    this.#engines = new WarmEngines(ports.startEngine);
    this.#timeoutMs = options.timeoutMs ?? LIMITS.replayTime;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /** Ends the engines that are kept for the next trace. */
  close(): Promise<void> {
    return this.#engines.close();
  }

  /** @throws ApiError `rulesUnsupported`, `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TransactionTrace> {
    const what = `the replay of ${mined.transaction.hash}`;
    return withDeadline({ signal, timeoutMs: this.#timeoutMs, what }, async (limited) => {
      const rules = await this.ports.rulesOf(network, mined.block);
      const replay = (): Promise<TransactionTrace> =>
        this.#replay(network, mined, limited, onProgress);
      return withWarnings(await this.executions.add(replay, limited), rules);
    });
  }

  /**
   * Executes a transaction at its position with other codes in place of the chain's.
   * @returns undefined where that needs an engine that forks the chain; the trace has the changes of the state
   * @throws ApiError as `trace`
   */
  async traceWithCodes(
    network: Network,
    mined: MinedTransaction,
    codes: ReadonlyMap<Address, Hex>,
    signal: AbortSignal,
  ): Promise<TransactionTrace | undefined> {
    const { later } = await this.ports.rulesOf(network, mined.block);
    if (later !== undefined || isOpFeeRecipient(mined.block.miner)) return undefined;
    requireExecutableForm(mined);
    const what = `executing ${mined.transaction.hash} with other code`;
    return withDeadline({ signal, timeoutMs: this.#timeoutMs, what }, (limited) =>
      this.executions.add(() => {
        const parts = settled(loadParts(this.ports, network, mined, limited));
        return this.#withOverrides({
          network,
          mined,
          codes,
          block: async () => (await parts()).block,
          prefix: async () => {
            const { block, receipts } = await parts();
            return { block, receipts: await receipts() };
          },
          guess: predictReads(network.rpc, mined.block, mined.transaction, limited),
          signal: limited,
          onReplay: () => undefined,
        });
      }, limited),
    );
  }

  async #replay(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress: OnProgress | undefined,
  ): Promise<TransactionTrace> {
    if (Number(mined.block.number) === 0) throw lacksData(mined, 'it is in the genesis block');
    requireExecutableForm(mined);
    // Requested while an engine starts.
    const guess = settled(predictReads(network.rpc, mined.block, mined.transaction, signal));
    const parts = settled(loadParts(this.ports, network, mined, signal));
    const prefix = async (): Promise<Prefix> => {
      const { block, receipts } = await parts();
      return { block, receipts: await receipts() };
    };
    const block = async (): Promise<RpcBlock> => (await parts()).block;
    const onReplay = (done: number, total: number): void =>
      onProgress?.({ stage: 'replaying transactions', done, total });
    const attempt = { network, mined, block, prefix, guess: guess(), signal, onReplay };
    const { later } = await this.ports.rulesOf(network, mined.block);
    const own =
      isOpFeeRecipient(mined.block.miner) || later !== undefined
        ? await this.#inProcess(attempt, await prefix())
        : undefined;
    if (typeof own === 'object') return own;
    // No engine executes the block instead.
    if (later !== undefined) throw lacksData(mined, own ?? 'nothing executes its rules');
    return (
      (await this.#withOverridesOrInThread(attempt, prefix)) ??
      this.#onForkedEngine(attempt, await prefix(), await guess())
    );
  }

  #withOverridesOrInThread(
    attempt: Omit<OverridesReplayOptions, 'engine'>,
    prefix: () => Promise<Prefix>,
  ): Promise<TransactionTrace | undefined> {
    // Threads have no rules of other chains than Ethereum and the OP Stack.
    if (knownChain(attempt.network.chainId).differences !== undefined) {
      return this.#withOverrides(attempt);
    }
    return withSecondAttempt(
      (signal) => this.#withOverrides({ ...attempt, signal }),
      async (signal) => {
        const own = await this.#inProcess({ ...attempt, signal }, await prefix(), true);
        return typeof own === 'object' ? own : undefined;
      },
      { afterMs: this.#patienceMs, signal: attempt.signal },
    );
  }

  async #withOverrides(
    attempt: Omit<OverridesReplayOptions, 'engine'>,
  ): Promise<TransactionTrace | undefined> {
    const { network, mined, signal } = attempt;
    const { hardfork } = await this.ports.rulesOf(network, mined.block);
    const kind = { chainId: network.chainId, hardfork };
    try {
      return await this.#engines.lend(kind, signal, ({ rpc }) =>
        replayWithOverrides({ ...attempt, engine: rpc }),
      );
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      return undefined; // the replay on a fork reports the error
    }
  }

  async #inProcess(
    { network, mined, signal, onReplay }: Omit<OverridesReplayOptions, 'engine'>,
    { block, receipts }: Prefix,
    ofAnyRules = false,
  ): Promise<TransactionTrace | string | undefined> {
    const exact = await exactExecution(this.ports, network, block);
    return replayInProcess({ exact, mined, block, receipts, signal, onReplay, ofAnyRules });
  }

  async #onForkedEngine(
    { network, mined, signal, onReplay }: Omit<OverridesReplayOptions, 'engine'>,
    { block, receipts }: Prefix,
    reads: readonly AccessListEntry[],
  ): Promise<TransactionTrace> {
    const prepare = (engine: RpcClient): Promise<void> => loadState(engine, reads, signal);
    const replay = { network, mined, block, receipts, signal, onReplay, prepare };
    return replayOnForkedEngine(this.ports, replay);
  }
}

/** The block, and the receipts of its earlier transactions. */
async function loadParts(
  ports: EngineAtPositionPorts,
  network: Network,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<BlockInParts> {
  const position = Number(mined.transaction.transactionIndex);
  const rules = await ports.rulesOf(network, mined.block);
  return fetchBlockInPartsOf(network, mined, position, { signal, rules });
}

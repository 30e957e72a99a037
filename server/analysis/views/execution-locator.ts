import { neverAborted } from '../../kernel/async/never-aborted';
import type { Address, Hash } from '../../api/primitives';
import { SharedCache, type WaitOptions } from '../../kernel/async/shared-cache';
import { inSlices, pause } from '../../kernel/async/slices';
import type { RpcTransaction } from '../../evm/forms/types';
import { dataLength, executionSteps } from '../call-frame';
import { identifyRequestWork } from '../decoding/identify-request';
import type { ExecutedTransaction, LocatedExecution } from '../executed-transaction';
import type { AbiSource, LabelSource, Network, NetworkResolver, TraceSource } from '../ports';
import type { Proofs } from '../traces/proofs';
import { fetchIncludedTransaction, loadMined } from '../transactions/load';

export interface ExecutionSources {
  readonly networks: NetworkResolver;
  readonly traces: TraceSource;
  readonly abis: AbiSource;
  /** If omitted, users have no labels. */
  readonly userLabels?: LabelSource;
  /** Raises the verification level of replays. If omitted, they keep their level. */
  readonly proofs?: Proofs;
}

export interface AnalysisRequest {
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  readonly hash: Hash;
  /** Id of the user. */
  readonly user?: string;
  /** The response waits until no proof of the analysis is running. */
  readonly isProofAwaited?: boolean;
}

export type AnalysisOptions = WaitOptions;

/** Bound of the cache, in characters of call data, return data and event data of all traces. */
const CACHED_CHARACTERS = 100_000_000;
const CHARACTERS_PER_STEP = 1_000;

/** Finds transactions, and traces each once per block that contains it. */
export class ExecutionLocator {
  /** The views of a transaction follow each other, those of a long one as well. */
  readonly #executed = new SharedCache<ExecutedTransaction>(CACHED_CHARACTERS, weightOf, {
    remembers: true,
  });

  constructor(private readonly sources: ExecutionSources) {}

  /**
   * Returns the trace that all views of a transaction share, with its identified contracts.
   * @throws ApiError `chainNotFound`, `transactionNotFound`, `transactionPending`, `upstream…`, `engineUnavailable`, `timedOut`, `cancelled`
   */
  async locate(
    { chain, hash, user, isProofAwaited = false }: AnalysisRequest,
    { signal = neverAborted(), onProgress }: AnalysisOptions = {},
  ): Promise<LocatedExecution> {
    const network = { ...(await this.sources.networks.resolve(chain, hash, signal)), user };
    const execution = (): Promise<ExecutedTransaction> =>
      this.#execution(network, hash, { signal, onProgress });
    let executed = await execution();
    if (isProofAwaited && executed.proving?.state === 'running') {
      onProgress?.({ stage: 'proving', done: 0, total: 1 });
      await this.sources.proofs?.ended(keyOf(network, executed.mined.transaction), signal);
      executed = await execution();
    }
    return this.identified({ network, executed }, signal);
  }

  /** Identifies the contracts of a trace. */
  async identified(
    { network, executed }: Pick<LocatedExecution, 'network' | 'executed'>,
    signal: AbortSignal,
  ): Promise<LocatedExecution> {
    const { mined, trace, overriddenCode } = executed;
    const { number, hash } = mined.block;
    const found = await inSlices(
      identifyRequestWork(trace.root, { number: BigInt(number), hash }),
      signal,
    );
    const request = overriddenCode
      ? { ...found, deployed: new Map([...overriddenCode, ...found.deployed]) }
      : found;
    const [known, userLabels] = await Promise.all([
      this.sources.abis.identify(network, request, signal),
      this.userLabelsOn(network),
    ]);
    return { network, executed, known, userLabels };
  }

  /** The labels that the requesting user has on a network now. */
  async userLabelsOn({ key, chain = key, user }: Network): Promise<Record<Address, string>> {
    if (user === undefined) return {};
    return (await this.sources.userLabels?.labelsOf(user, [chain, key])) ?? {};
  }

  async #execution(
    network: Network,
    hash: Hash,
    options: AnalysisOptions,
  ): Promise<ExecutedTransaction> {
    const transaction = await fetchIncludedTransaction(network, hash, options.signal);
    const key = keyOf(network, transaction);
    const executed = await this.#executed.get(
      key,
      async (shared, reportProgress) => {
        reportProgress({ stage: 'tracing', done: 0, total: 1 });
        const mined = await loadMined(network, transaction, shared);
        const trace = await this.sources.traces.trace(network, mined, shared, reportProgress);
        reportProgress({ stage: 'tracing', done: 1, total: 1 });
        await pause();
        return { mined, trace };
      },
      options,
    );
    const replace = (proved: ExecutedTransaction): void => {
      this.#executed.replace(key, proved);
    };
    return this.sources.proofs?.start(key, network, executed, replace) ?? executed;
  }
}

/** The key includes the block: after a reorganisation or a fork's revert, the same transaction may be in another block. */
const keyOf = ({ key }: Network, { hash, blockHash }: RpcTransaction): string =>
  [key, hash, blockHash].join();

const weightOf = ({ trace: { root, prestate } }: ExecutedTransaction): number =>
  executionSteps(root).length * CHARACTERS_PER_STEP + dataLength(root) + codeLength(prestate);

/** Characters of the codes in the result of `prestateTracer`, which are most of it. */
const codeLength = (prestate: unknown): number =>
  Object.values((prestate ?? {}) as Record<string, { code?: unknown }>).reduce(
    (sum, { code }) => sum + (typeof code === 'string' ? code.length : 0),
    0,
  );

import { createHash } from 'node:crypto';
import type {
  MinedTransaction,
  Network,
  TraceProver,
  TraceSource,
  TransactionTrace,
} from '../analysis/ports';
import { isWholeRecord, traceDifference } from '../analysis/traces/verify';
import type { OnProgress } from '../api/progress';
import type { RpcClient } from '../evm/forms/json-rpc';
import type { RpcBlockHeader } from '../evm/forms/types';
import { TRACE_VERSION } from './tracing/trace-lines';

/** Interval after which a node is asked again for its newest safe block. */
const REFRESH_MS = 5_000;

/** Keeps traces between runs. */
export interface TraceStore {
  /** @returns undefined where there is none, or one that was damaged: that is removed */
  read(name: string): Promise<TransactionTrace | undefined>;
  /** Not waited for: what cannot be written is not kept. */
  write(name: string, trace: TransactionTrace): void;
}

/**
 * Keeps the traces of transactions in safe blocks. Calls and logs are decoded for each answer, so a new ABI needs no new trace. Traces of a
 * fork's own engine are not kept, and neither are traces that differ from the receipt or lack something, because the node may be repaired.
 */
export class CachedTraces implements TraceSource, TraceProver {
  readonly #safe = new WeakMap<RpcClient, { number: bigint; askedAt: number }>();

  constructor(
    private readonly source: TraceSource,
    private readonly prover: TraceProver,
    private readonly files: TraceStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws the errors of the source */
  async trace(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<TransactionTrace> {
    if (!network.replayable) return this.source.trace(network, mined, signal, onProgress);
    const kept = await this.files.read(nameOf(network, mined));
    if (kept) return kept;
    return this.#keep(network, mined, await this.source.trace(network, mined, signal, onProgress));
  }

  /** @throws the errors of the prover */
  async prove(...proof: Parameters<TraceProver['prove']>): Promise<TransactionTrace> {
    const [network, mined] = proof;
    return this.#keep(network, mined, await this.prover.prove(...proof));
  }

  async #keep(
    network: Network,
    mined: MinedTransaction,
    trace: TransactionTrace,
  ): Promise<TransactionTrace> {
    const isFaithful =
      traceDifference(trace, mined.receipt) === undefined &&
      (trace.method === 'replay' || isWholeRecord(trace));
    if (isFaithful && (await this.#isSafe(network.rpc, BigInt(mined.block.number)))) {
      this.files.write(nameOf(network, mined), trace);
    }
    return trace;
  }

  async #isSafe(rpc: RpcClient, number: bigint): Promise<boolean> {
    const known = this.#safe.get(rpc);
    if (known && number <= known.number) return true;
    if (known && this.now() - known.askedAt < REFRESH_MS) return false;
    try {
      const block = (await rpc.request('eth_getBlockByNumber', ['safe', false], {
        timeoutMs: REFRESH_MS,
      })) as RpcBlockHeader | null;
      const safe = { number: BigInt(block?.number ?? '0x0'), askedAt: this.now() };
      this.#safe.set(rpc, safe);
      return number <= safe.number;
    } catch {
      return false; // the chain reports no safe block, or the node is unreachable
    }
  }
}

/** Name of a trace's file, from everything that determines the trace: version, chain, transaction and block. */
function nameOf({ key }: Network, { transaction, block }: MinedTransaction): string {
  const content = [TRACE_VERSION, key, transaction.hash, block.hash].join(' ');
  return createHash('sha256').update(content).digest('hex');
}

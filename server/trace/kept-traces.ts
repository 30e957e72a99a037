import { createHash } from 'node:crypto';
import type {
  MinedTransaction,
  Network,
  TraceProver,
  TraceSource,
  TransactionTrace,
} from '../analysis/ports';
import { traceDifference } from '../analysis/verify-trace';
import type { OnProgress } from '../api/progress';
import type { RpcClient } from '../ethereum/json-rpc';
import type { RpcBlockHeader } from '../ethereum/types';
import type { TraceFiles } from './trace-files';
import { TRACE_VERSION } from './trace-lines';

/** A node is asked again for its newest safe block after this time. */
const REFRESH_MS = 5_000;

/**
 * Keeps the traces of transactions in blocks that a chain calls safe. Interfaces are found out anew for each answer: a new ABI is seen
 * without a new trace. What a fork's own engine traced is not kept, nor what differs from the receipt: the node may be put right.
 */
export class KeptTraces implements TraceSource, TraceProver {
  readonly #safe = new WeakMap<RpcClient, { number: bigint; askedAt: number }>();

  constructor(
    private readonly source: TraceSource,
    private readonly prover: TraceProver,
    private readonly files: TraceFiles,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws what the source throws */
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

  /** @throws what the prover throws */
  async prove(...proof: Parameters<TraceProver['prove']>): Promise<TransactionTrace> {
    const [network, mined] = proof;
    return this.#keep(network, mined, await this.prover.prove(...proof));
  }

  async #keep(
    network: Network,
    mined: MinedTransaction,
    trace: TransactionTrace,
  ): Promise<TransactionTrace> {
    const isFaithful = traceDifference(trace, mined.receipt) === undefined;
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
      return false; // a chain that does not tell what is safe, or a node that is gone
    }
  }
}

/** By what a trace is made of: chain, transaction, block and the way it is read. */
function nameOf({ key }: Network, { transaction, block }: MinedTransaction): string {
  const content = [TRACE_VERSION, key, transaction.hash, block.hash].join(' ');
  return createHash('sha256').update(content).digest('hex');
}

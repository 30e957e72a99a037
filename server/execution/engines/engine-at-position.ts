import type { Network } from '../../analysis/ports';
import type { OnProgress } from '../../api/progress';
import type { Engine, FailedReads, StartEngine } from '../../evm/forms/engine';
import { retryOnEngineEnd } from '../../evm/forms/engine-ended-error';
import type { RpcBlock, RpcBlockHeader } from '../../evm/forms/types';
import { requireExecutable, type BlockRules } from '../../evm/rules/block-rules';
import { isCelo } from '../../evm/families/celo/celo';
import type { ExactExecution } from '../prefix/apply-executed';
import type { BlockExecutor } from '../prefix/block-executor';
import { applyTransactions } from '../prefix/apply-prefix';
import { EngineBlobGas } from '../prefix/engine-blob-gas';
import { fetchReceipts } from '../prefix/upstream-block';

export interface EngineAtPositionPorts {
  startEngine: StartEngine;
  /** Opens an address at which an engine reads the chain's state: the gateway, never the user's endpoint. */
  openUpstream(network: Network): Promise<{
    url: string;
    isAsked?: () => boolean;
    failedReads?: FailedReads;
    close: () => void;
  }>;
  /** Rules that apply in a block of the chain. @throws ApiError `rulesUnsupported` if neither an engine nor the executor has them */
  rulesOf(network: Network, block: RpcBlockHeader): Promise<BlockRules>;
  /** Executes blocks whose rules the engine does not execute. */
  readonly executor?: BlockExecutor;
}

/** The execution of a block by its chain's own rules, where the engine's are others. @throws ApiError `rulesUnsupported` */
export async function exactExecution(
  ports: Pick<EngineAtPositionPorts, 'executor' | 'rulesOf'>,
  network: Network,
  block: RpcBlockHeader,
): Promise<ExactExecution | undefined> {
  const { rpc, chainId } = network;
  const { executor } = ports;
  if (!executor) return undefined;
  const { hardfork, later = hardfork, blobFraction } = await ports.rulesOf(network, block);
  const blobs = blobFraction === undefined ? {} : { blobFraction };
  return { executor, place: { rpc, chainId, hardfork: later, ...blobs, header: block } };
}

/**
 * Provides an engine whose newest state is the one after the first `position` transactions of a block, and ends it afterwards. If the
 * position is the end of the block, nothing is executed.
 * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`; RpcError of the engine; errors of `work`
 */
export async function withEngineAt<T>(
  ports: EngineAtPositionPorts,
  point: { network: Network; block: RpcBlock; position: number },
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress | undefined },
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { network, block, position } = point;
  const rules = await ports.rulesOf(network, block);
  if (position >= block.transactions.length) {
    const place = { network, block, number: Number(block.number) };
    return startAt(ports, place, signal, async (engine) => {
      const blobGas = new EngineBlobGas(engine.rpc, rules, network.chainId, block);
      await blobGas.enterHead(block, block);
      return work(engine);
    });
  }
  return startBeforeBlock(ports, network, block, signal, async (engine) => {
    const receipts = await fetchReceipts(network.rpc, block, position, { signal, rules });
    await applyTransactions(engine.rpc, block, position, {
      receipts,
      rules,
      upstream: network.rpc,
      exact: await exactExecution(ports, network, block),
      signal,
      onProgress: (done, total) => onProgress?.({ stage: 'replaying transactions', done, total }),
    });
    return work(engine);
  });
}

/**
 * Provides an engine whose newest block is the parent of `block`, under the rules of `block`, and ends it afterwards.
 * @throws as `withEngineAt`
 */
export function startBeforeBlock<T>(
  ports: EngineAtPositionPorts,
  network: Network,
  block: RpcBlock,
  signal: AbortSignal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  return startAt(ports, { network, block, number: Number(block.number) - 1 }, signal, work);
}

/** Replaces an engine once if it ends during its use. */
function startAt<T>(
  ports: EngineAtPositionPorts,
  place: { network: Network; block: RpcBlock; number: number },
  signal: AbortSignal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  return retryOnEngineEnd(signal, () => startOnce(ports, place, signal, work));
}

async function startOnce<T>(
  ports: EngineAtPositionPorts,
  { network, block, number }: { network: Network; block: RpcBlock; number: number },
  signal: AbortSignal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { hardfork } = requireExecutable(await ports.rulesOf(network, block));
  const upstream = await ports.openUpstream(network);
  try {
    const engine = await ports.startEngine(
      {
        upstream: {
          ...upstream,
          blockNumber: number,
          name: `chain ${network.chain ?? network.key}`,
        },
        chainId: network.chainId,
        hardfork,
        isCelo: isCelo(network.chainId),
      },
      signal,
    );
    try {
      return await work(engine);
    } finally {
      await engine.stop();
    }
  } finally {
    upstream.close();
  }
}

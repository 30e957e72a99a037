import type { Network } from '../analysis/ports';
import type { Hardfork } from '../api/config';
import type { Engine, StartEngine } from '../ethereum/engine';
import type { RpcBlock, RpcBlockHeader } from '../ethereum/types';
import { applyTransactions } from '../replay/apply-prefix';
import { fetchReceipts } from '../replay/upstream-block';

export interface EngineAtPositionPorts {
  startEngine: StartEngine;
  /** Opens an address at which an engine reads the chain's state: the gateway, never the user's endpoint. */
  openUpstream(network: Network): Promise<{ url: string; close(): void }>;
  /** Rules in force in a block of the chain. */
  hardforkOf(network: Network, block: RpcBlockHeader): Hardfork;
}

/**
 * Lends an engine whose newest state is that behind the first `position` transactions of a block, and ends it afterwards.
 * Where that is the whole block, nothing has to be executed for it.
 * @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`; RpcError of the engine; what `work` throws
 */
export async function withEngineAt<T>(
  ports: EngineAtPositionPorts,
  point: { network: Network; block: RpcBlock; position: number },
  signal: AbortSignal,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { network, block, position } = point;
  const number = Number(block.number);
  const whole = position >= block.transactions.length;
  const upstream = await ports.openUpstream(network);
  try {
    const engine = await ports.startEngine(
      {
        upstream: { url: upstream.url, blockNumber: whole ? number : number - 1 },
        chainId: network.chainId,
        hardfork: ports.hardforkOf(network, block),
      },
      signal,
    );
    try {
      if (!whole) {
        const receipts = await fetchReceipts(network.rpc, block, position, { signal });
        await applyTransactions(engine.rpc, block, position, { receipts, upstream: network.rpc, signal });
      }
      return await work(engine);
    } finally {
      await engine.stop();
    }
  } finally {
    upstream.close();
  }
}

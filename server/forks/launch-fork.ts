import { ApiError } from '../api/errors';
import type { OnProgress } from '../api/progress';
import type { Engine } from '../ethereum/engine';
import type { RpcClient } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import type { RpcBlockHeader } from '../ethereum/types';
import { applyTransactions } from '../replay/apply-prefix';
import type { ReplayComparison } from '../replay/compare-receipts';
import { fetchBlock, fetchReceipts } from '../replay/upstream-block';
import { rpcChainIdOf, type ForkRecord } from './fork-record';
import type { ForkPorts } from './ports';
import { replayedBlock, type ReplayedBlock } from './replayed-block';
import { loadSystemContracts } from './system-contracts';

/** More than any block of a chain with gas in its usual sense; Arbitrum's limit of 2^50 would let one call run for days. */
export const MAX_GAS = 250_000_000;

export interface LaunchedFork {
  engine: Engine;
  upstream: RpcClient;
  /** Set where transactions of the block were replayed. */
  prefix?: { comparison: ReplayComparison; block: ReplayedBlock };
}

/**
 * Starts an engine that stands at the fork point of a record.
 * @throws ApiError; nothing is left behind then
 */
export async function launchFork(
  record: ForkRecord,
  ports: Pick<ForkPorts, 'chains' | 'upstreamOf' | 'openUpstream' | 'startEngine'>,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<LaunchedFork> {
  const upstream = ports.upstreamOf(ports.chains.bySlug(record.chain));
  const lease = await ports.openUpstream({
    chainId: record.chainId,
    blockNumber: record.base,
    upstream,
  });
  let engine: Engine | undefined;
  try {
    engine = await ports.startEngine(
      {
        upstream: { url: lease.url, blockNumber: record.base },
        // The transactions of the block are signed for the chain's own id.
        chainId: record.prefix > 0 ? record.chainId : rpcChainIdOf(record),
        hardfork: record.hardfork,
      },
      signal,
    );
    void engine.exited.then(() => {
      lease.close();
    });
    const prefix = await applyPrefix(engine.rpc, upstream, record, signal, onProgress);
    await settle(engine.rpc, record, signal);
    return { engine, upstream, ...(prefix ? { prefix } : {}) };
  } catch (error) {
    await engine?.stop();
    lease.close();
    throw error;
  }
}

async function applyPrefix(
  engine: RpcClient,
  upstream: RpcClient,
  record: ForkRecord,
  signal: AbortSignal | undefined,
  onProgress: OnProgress | undefined,
): Promise<LaunchedFork['prefix']> {
  if (record.prefix === 0) return undefined;
  const block = await fetchBlock(upstream, record.height, { signal });
  if (!block) {
    throw new ApiError(
      'upstreamLacksData',
      `chain ${record.chain} does not give its block ${record.height}`,
    );
  }
  const receipts = await fetchReceipts(upstream, block, record.prefix, { signal });
  const comparison = await applyTransactions(engine, block, record.prefix, {
    receipts,
    upstream,
    signal,
    onProgress: (done, total) => onProgress?.({ stage: 'replaying transactions', done, total }),
  });
  const mined = (await engine.request('eth_getBlockByNumber', [block.number, false], {
    signal,
  })) as RpcBlockHeader;
  return { comparison, block: replayedBlock(block, record.prefix, receipts, mined.hash) };
}

/** What is set before users come: the chain id that they see, any sender, a bound on gas. */
async function settle(
  engine: RpcClient,
  record: ForkRecord,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (record.prefix > 0 && record.antiReplay) {
    await engine.request('anvil_setChainId', [rpcChainIdOf(record)], { signal });
  }
  await loadSystemContracts(engine, signal);
  await engine.request('anvil_autoImpersonateAccount', [true], { signal });
  const head = (await engine.request('eth_getBlockByNumber', ['latest', false], {
    signal,
  })) as RpcBlockHeader;
  if (BigInt(head.gasLimit) > MAX_GAS) {
    await engine.request('anvil_setBlockGasLimit', [toQuantity(MAX_GAS)], { signal });
  }
}

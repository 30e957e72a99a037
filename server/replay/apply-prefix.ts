import { ApiError } from '../api/errors';
import { RpcError, type RpcClient } from '../ethereum/json-rpc';
import type { RpcBlock, RpcBlockHeader, RpcReceipt, RpcTransaction } from '../ethereum/types';
import { enterBlock } from './block-context';
import { compareReceipts, type ReplayComparison } from './compare-receipts';
import { complete, readState, stateChanges } from './engine-state';
import { asCall } from './as-call';
import { executeAsCalls } from './execute-as-calls';
import { rawTransaction } from './raw-transaction';
import { readsRandomness } from './reads-randomness';

export interface ApplyOptions {
  /** The original receipts of the transactions, in order; the comparison is made with these. */
  receipts: readonly RpcReceipt[];
  signal?: AbortSignal | undefined;
  /** Told after each transaction that is in the pool. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Applies the first `count` transactions of a block, in the block's own context, and mines them as a block of the same number.
 * The engine chooses the PREVRANDAO of its blocks itself. Where a transaction may have read it, the state behind the block is
 * made that of an execution with the real one.
 * @param engine stands at the parent of `block`, mines on demand, first in first out, and runs under the chain's own id
 * @throws ApiError upstreamLacksData where a transaction cannot be rebuilt; engineUnavailable where the engine refuses one
 */
export async function applyTransactions(
  engine: RpcClient,
  block: RpcBlock,
  count: number,
  { receipts, signal, onProgress }: ApplyOptions,
): Promise<ReplayComparison> {
  const prefix = block.transactions.slice(0, count);
  const raw = prefix.map(rawTransaction);
  const parent = await engine.request('evm_snapshot', [], { signal });
  await enterBlock(engine, block, signal);
  await warm(engine, prefix, signal);
  const mine = async (told: ApplyOptions['onProgress']): Promise<RpcReceipt[]> => {
    for (const [index, transaction] of prefix.entries()) {
      await send(engine, transaction, raw[index], signal);
      told?.(index + 1, count);
    }
    await engine.request('evm_mine', [], { signal });
    await endImpersonation(engine, prefix, signal);
    const params = [block.number];
    const mined = await engine.request('eth_getBlockReceipts', params, { signal });
    return (mined ?? []) as RpcReceipt[];
  };
  const mined = await mine(onProgress);
  if (await sawOtherRandomness(engine, block, prefix, signal)) {
    return withRandomness(engine, block, prefix, { receipts, signal, parent, mine });
  }
  return compareReceipts(mined, receipts);
}

async function sawOtherRandomness(
  engine: RpcClient,
  block: RpcBlock,
  prefix: readonly RpcTransaction[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (block.mixHash === undefined || BigInt(block.difficulty ?? '0x0') !== 0n) return false;
  const header = (await engine.request('eth_getBlockByNumber', [block.number, false], {
    signal,
  })) as RpcBlockHeader | null;
  if (header?.mixHash === block.mixHash) return false;
  const state = await readState(engine, signal);
  return (
    [...state.values()].some(({ code }) => readsRandomness(code)) ||
    prefix.some(({ to, input }) => to === null && readsRandomness(input))
  );
}

/** Executes the transactions with the real PREVRANDAO first, then mines them again, and puts the state right. */
async function withRandomness(
  engine: RpcClient,
  block: RpcBlock,
  prefix: readonly RpcTransaction[],
  {
    receipts,
    signal,
    parent,
    mine,
  }: Pick<ApplyOptions, 'receipts' | 'signal'> & {
    parent: unknown;
    mine: (told: undefined) => Promise<unknown>;
  },
): Promise<ReplayComparison> {
  const wrong = await readState(engine, signal);
  const start = async (): Promise<void> => {
    await engine.request('evm_revert', [parent], { signal });
    await enterBlock(engine, block, signal);
  };
  await start();
  const again = await engine.request('evm_snapshot', [], { signal });
  const executed = await executeAsCalls(engine, block, prefix, signal);
  const right = await readState(engine, signal);
  await complete(engine, right, wrong, signal);
  await engine.request('evm_revert', [again], { signal });
  await enterBlock(engine, block, signal);
  await mine(undefined);
  await complete(engine, wrong, right, signal);
  const changes = stateChanges(wrong, right);
  for (const outcome of await engine.requestAll(changes, { signal })) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return compareReceipts(executed, receipts);
}

/**
 * Loads the state that the transactions will touch. Mining reads it one slot after the other; calls side by side
 * share the waiting. What they answer does not matter.
 */
async function warm(
  engine: RpcClient,
  transactions: readonly RpcTransaction[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await engine.requestAll(
    transactions.map((transaction) => ({
      method: 'eth_call',
      params: [asCall(transaction), 'latest'],
    })),
    { signal },
  );
}

/** One at a time: the order of arrival is the order in the block. */
async function send(
  engine: RpcClient,
  transaction: RpcTransaction,
  raw: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    if (isBlob(transaction)) {
      await engine.request('anvil_impersonateAccount', [transaction.from], { signal });
    }
    await engine.request('eth_sendRawTransaction', [raw], { signal });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new ApiError(
      'engineUnavailable',
      `the engine refuses transaction ${transaction.hash} of the replayed block: ${error.message}`,
      { cause: error },
    );
  }
}

/** A blob transaction without its sidecar is accepted, and mined, only while its sender is impersonated. */
const isBlob = ({ type }: RpcTransaction): boolean => type === '0x3';

async function endImpersonation(
  engine: RpcClient,
  transactions: readonly RpcTransaction[],
  signal: AbortSignal | undefined,
): Promise<void> {
  await engine.requestAll(
    transactions.filter(isBlob).map(({ from }) => ({
      method: 'anvil_stopImpersonatingAccount',
      params: [from],
    })),
    { signal },
  );
}

import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import { isDeposit, mintOf } from '../../evm/forms/deposit';
import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { receiptDifference } from './compare-receipts';
import { setBalance } from '../../evm/forms/engine-state';
import { predictEffects } from './predict-effects';
import { rawTransaction } from './raw-transaction';
import { completeDiff, NO_LIFECYCLE_EVENTS } from '../../evm/forms/complete-diff';
import { changesOf, DIFF_TRACER, isStateDiff, type StateDiff } from '../../evm/forms/prestate-diff';

/** A transaction of the block, and how it is applied. */
export interface ReplayStep {
  transaction: RpcTransaction;
  /** The original receipt. */
  receipt: RpcReceipt | undefined;
  /** The signed bytes; undefined if the engine cannot execute the transaction: see `foreignChanges`. */
  raw: Hex | undefined;
  /** Its changes according to the forked chain's node; only if the engine cannot execute it. */
  diff: StateDiff | undefined;
}

/**
 * Plans how each transaction is applied. Chains have transactions of their own: of other types, unsigned, or with more gas than a block
 * has. Their changes are requested from the chain's node, which needs the debug API.
 */
export async function planReplay(
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
  upstream: RpcClient,
  signal?: AbortSignal,
): Promise<ReplayStep[]> {
  return Promise.all(
    block.transactions.map(async (transaction, index) => {
      const raw = executableForm(block, transaction);
      const diff =
        raw === undefined ? await upstreamDiff(upstream, transaction, signal) : undefined;
      return { transaction, receipt: receipts[index], raw, diff };
    }),
  );
}

function executableForm(block: RpcBlock, transaction: RpcTransaction): Hex | undefined {
  if (BigInt(transaction.gas) > BigInt(block.gasLimit)) return undefined;
  try {
    return rawTransaction(transaction);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

async function upstreamDiff(
  upstream: RpcClient,
  transaction: RpcTransaction,
  signal: AbortSignal | undefined,
): Promise<StateDiff | undefined> {
  try {
    const params = [transaction.hash, DIFF_TRACER];
    const answer = await upstream.request('debug_traceTransaction', params, { signal });
    return isStateDiff(answer)
      ? completeDiff(answer, { transaction, ...NO_LIFECYCLE_EVENTS })
      : undefined;
  } catch (error) {
    const lacking = error instanceof ApiError && error.kind === 'upstreamLacksData';
    if (error instanceof RpcError || lacking) return undefined;
    throw error;
  }
}

/**
 * The changes of a transaction that the engine cannot execute: those that the forked chain's node reports, or for a deposit those of a call
 * that produces the original receipt.
 * @param engine its state is the one immediately before the transaction
 * @returns undefined if the changes are unknown: the transaction is left out
 */
export async function foreignChanges(
  engine: RpcClient,
  block: RpcBlock,
  { transaction, receipt, diff }: ReplayStep,
  signal?: AbortSignal,
): Promise<RpcCall[] | undefined> {
  if (diff) return changesOf(diff);
  if (!isDeposit(transaction) || receipt === undefined) return undefined;
  const { from } = transaction;
  const currentBalance = (await engine.request('eth_getBalance', [from, 'latest'], {
    signal,
  })) as Hex;
  const balance = BigInt(currentBalance) + mintOf(transaction);
  const executed = await undefinedIfRefused(
    predictEffects(engine, block, transaction, {
      fields: { gasPrice: '0x0' },
      stateOverrides: { [from]: { balance: toQuantity(balance) } },
      signal,
    }),
  );
  if (!executed || receiptDifference(executed.receipt, receipt) !== undefined) return undefined;
  return [setBalance(from, balance), ...executed.changes];
}

/** @returns undefined if the engine refuses the execution */
export async function undefinedIfRefused<T>(execution: Promise<T>): Promise<T | undefined> {
  try {
    return await execution;
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

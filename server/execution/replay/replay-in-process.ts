import type { MinedTransaction, TransactionTrace } from '../../analysis/ports';
import { traceDifference } from '../../analysis/traces/verify';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import type { OpenBlock } from '../prefix/block-executor';
import { reasonOf, type ExactExecution } from '../prefix/apply-executed';
import { differenceAfterBlock, executeFirst } from '../prefix/execute-block';
import { executedTrace } from './executed-trace';
import { differs } from './replay-on-forked-engine';

export interface InProcessReplay {
  readonly exact: ExactExecution | undefined;
  readonly mined: MinedTransaction;
  readonly block: RpcBlock;
  /** Receipts of the earlier transactions of the block, in order. */
  readonly receipts: readonly RpcReceipt[];
  readonly signal: AbortSignal;
  /** Called after each earlier transaction. */
  readonly onReplay?: ((done: number, total: number) => void) | undefined;
  /** Also executes blocks that the engine's own execution is as good for. */
  readonly ofAnyRules?: boolean;
}

/**
 * Executes every earlier transaction of the block by its chain's own rules, then the transaction.
 * @returns undefined if the engine's own execution is as good; why this one failed or differs from the receipt, in words
 */
export async function replayInProcess({
  exact,
  mined,
  block,
  receipts,
  signal,
  onReplay,
  ofAnyRules = false,
}: InProcessReplay): Promise<TransactionTrace | string | undefined> {
  let open: OpenBlock | undefined;
  try {
    open = await exact?.executor[ofAnyRules ? 'open' : 'begin'](exact.place, signal);
    if (!open) return undefined;
    const { firstDifference } = await executeFirst(open, block, receipts, onReplay);
    const executed = await open.record(mined.transaction);
    const trace = await executedTrace(executed, mined, signal);
    const difference = traceDifference(trace, mined.receipt);
    if (difference !== undefined) {
      return `executed by the chain's own rules, it differs from the receipt: ${difference}`;
    }
    const proof =
      firstDifference === undefined
        ? { wholePrefix: true }
        : { wholePrefix: false, reason: differs(firstDifference) };
    return { ...trace, applied: receipts.length, proof };
  } catch (error) {
    return reasonOf(error, signal);
  } finally {
    open?.close();
  }
}

/**
 * Executes a whole block by its chain's own rules, and compares everything that it changed with the chain's state after it.
 * @returns undefined if the engine's own execution is as good; else the first difference in words, if there is one
 */
export async function differenceOfBlock(
  exact: ExactExecution | undefined,
  block: RpcBlock,
  signal: AbortSignal,
): Promise<{ readonly difference: string | undefined } | undefined> {
  let open: OpenBlock | undefined;
  try {
    open = await exact?.executor.begin(exact.place, signal);
    return open && { difference: await differenceAfterBlock(open, block, 0) };
  } catch (error) {
    return { difference: reasonOf(error, signal) };
  } finally {
    open?.close();
  }
}

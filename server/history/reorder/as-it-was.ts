import { ApiError } from '../../api/errors';
import type { OtherBlock } from '../../api/reorder';
import type { ExactExecution } from '../../execution/prefix/apply-executed';
import type { OpenBlock } from '../../execution/prefix/block-executor';
import { receiptDifferenceWork } from '../../execution/prefix/compare-receipts';
import { differenceAfterBlock } from '../../execution/prefix/execute-block';
import { fetchReceipts } from '../../execution/prefix/upstream-block';
import { inSlices } from '../../kernel/async/slices';
import { runBlock, type Ran, type RunOptions } from './run-block';

/** The block as it was, executed in the way of the other one. */
export interface AsItWas {
  readonly ran: readonly Ran[];
  readonly check: OtherBlock['check'];
  /** Why the state is not compared; undefined if it is. */
  readonly whyUnchecked?: string | undefined;
}

/** @throws Error if the executor cannot execute it; errors of the chain's node */
export async function executedAsItWas(
  { executor, place }: ExactExecution,
  run: Omit<RunOptions, 'onRan'>,
  onRan: RunOptions['onRan'],
): Promise<AsItWas> {
  const { network, block, signal } = run;
  const { transactions } = block;
  const receipts = await fetchReceipts(network.rpc, block, transactions.length, { signal });
  const open = await executor.open(place, signal);
  try {
    const planned = transactions.map((transaction, was) => ({ transaction, was, isSet: false }));
    const ran = (await runBlock(open, planned, { ...run, onRan })).map((one, index) => {
      if ('receipt' in one) return one;
      throw new Error(`transaction ${index}: ${one.refused}`);
    });
    let difference: string | undefined;
    for (const [index, { receipt }] of ran.entries()) {
      const original = receipts[index];
      if (original) difference ??= await inSlices(receiptDifferenceWork(receipt, original), signal);
    }
    if (difference !== undefined) {
      return { ran, check: { receipts: 'different', state: 'unchecked', difference } };
    }
    return { ran, ...(await checkedState(open, run)) };
  } finally {
    open.close();
  }
}

async function checkedState(
  open: OpenBlock,
  { block, signal }: Omit<RunOptions, 'onRan'>,
): Promise<Omit<AsItWas, 'ran'>> {
  try {
    const difference = await differenceAfterBlock(open, block, block.transactions.length);
    const state = difference === undefined ? 'equal' : 'different';
    return { check: { receipts: 'equal', state, ...(difference && { difference }) } };
  } catch (error) {
    if (signal.aborted) throw error;
    const whyUnchecked = error instanceof ApiError ? error.message : String(error);
    return { check: { receipts: 'equal', state: 'unchecked' }, whyUnchecked };
  }
}

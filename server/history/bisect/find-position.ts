import type { Network } from '../../analysis/ports';
import type { BisectStateChange } from '../../api/bisect';
import type { OnProgress } from '../../api/progress';
import { inSlices } from '../../kernel/async/slices';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';
import type { ExactExecution } from '../../execution/prefix/apply-executed';
import { receiptDifferenceWork } from '../../execution/prefix/compare-receipts';
import { recordMined } from '../../execution/prefix/record-mined';
import { fetchReceipts } from '../../execution/prefix/upstream-block';
import { isSameOutcome, type ChainExpression, type Outcome } from '../expressions/chain-expression';
import type { StateReader } from '../../debugger/languages/port/state-read';
import { ExecutedReader } from './executed-reader';

export interface BlockToSearch {
  readonly network: Network;
  readonly block: RpcBlock;
  readonly expression: ChainExpression;
  /** The state after the block before. */
  readonly parent: StateReader;
  /** The outcome there. */
  readonly before: Outcome;
  /** Changes after which the rest of the block is left out. */
  readonly most: number;
}

/** Where in a block an outcome changed. */
export interface FoundPosition {
  /** Undefined: by the block itself, whose number and time are others, or which pays withdrawals and rewards. */
  readonly transaction: RpcTransaction | undefined;
  readonly before: Outcome;
  readonly after: Outcome;
  /** What the transaction changed of the state that the outcome depends on. */
  readonly state: readonly BisectStateChange[];
  readonly executor: 'process' | 'anvil' | 'none';
  /** What the executed receipts differ in from the chain's. */
  readonly difference?: string | undefined;
}

interface SearchOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Executes a block once, and evaluates the expression after each transaction that changes what its value depends on.
 * @returns the changes in order
 * @throws Error if the executor cannot execute the block; errors of the chain's node
 */
export async function findPositions(
  { network, block, expression, parent, before, most }: BlockToSearch,
  { executor, place }: ExactExecution,
  { signal, onProgress }: SearchOptions,
): Promise<FoundPosition[]> {
  const { transactions } = block;
  const receipts = await fetchReceipts(network.rpc, block, transactions.length, { signal });
  const open = await executor.open(place, signal);
  const found: FoundPosition[] = [];
  try {
    const reader = new ExecutedReader(open, block, parent);
    let last = await expression.at(reader, signal);
    if (!isSameOutcome(last, before)) {
      found.push({ transaction: undefined, before, after: last, state: [], executor: 'process' });
    }
    let warmed = 0;
    let difference: string | undefined;
    for (const [index, transaction] of transactions.entries()) {
      if (found.length >= most) break;
      if (index === warmed) {
        // Twice as many each time: the change may be among the first ones.
        warmed = index * 2 + 1;
        await open.warm(transactions.slice(index, warmed));
      }
      onProgress?.({ stage: 'executing the block', done: index, total: transactions.length });
      const { receipt, changes } = await recordMined(open, block, transaction);
      const original = receipts[index];
      if (original) difference ??= await inSlices(receiptDifferenceWork(receipt, original), signal);
      reader.apply(changes);
      const state = reader.changesOf(last.reads, changes);
      if (state.length === 0) continue;
      const after = await expression.at(reader, signal);
      if (!isSameOutcome(after, last)) {
        found.push({ transaction, before: last, after, state, executor: 'process', difference });
      }
      last = after;
    }
    return found;
  } finally {
    open.close();
  }
}

import type { MinedTransaction, Network, TransactionTrace } from '../../analysis/ports';
import { transfersWork } from '../../analysis/transfers/collect';
import type { Transfer } from '../../analysis/transfers/transfer';
import type { StateDiff } from '../../evm/forms/prestate-diff';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import type { ExecutedTransaction, OpenBlock } from '../../execution/prefix/block-executor';
import { RejectedTransaction } from '../../execution/prefix/block-executor';
import { hasSignedForm } from '../../execution/prefix/record-mined';
import { executedTrace } from '../../execution/replay/executed-trace';
import { inSlices } from '../../kernel/async/slices';
import type { Planned } from './plan';

/** A transaction that was executed in its place. */
export interface Ran {
  readonly receipt: RpcReceipt;
  readonly trace: TransactionTrace;
  /** With fees. */
  readonly changes: StateDiff;
  readonly transfers: readonly Transfer[];
}

/** Why no block could contain a transaction in its place. */
export interface Refused {
  readonly refused: string;
}

export interface RunOptions {
  readonly network: Network;
  readonly block: RpcBlock;
  readonly signal: AbortSignal;
  /** Called after each transaction. */
  readonly onRan: (done: number) => void;
}

/** What is executed, and from where. */
type Placed = Pick<Planned, 'transaction' | 'was' | 'isSet'>;

/**
 * Executes transactions in order, from the start of the block on.
 * @throws Error if the executor cannot execute one; errors of the chain's node
 */
export async function runBlock(
  open: OpenBlock,
  planned: readonly Placed[],
  { network, block, signal, onRan }: RunOptions,
): Promise<(Ran | Refused)[]> {
  await open.warm(planned.flatMap((one) => (isAsSigned(one) ? [one.transaction] : [])));
  const results: (Ran | Refused)[] = [];
  for (const [index, one] of planned.entries()) {
    const placed = Object.assign({}, one.transaction, { transactionIndex: toQuantity(index) });
    try {
      const executed = await runOne(open, block, placed, one);
      results.push(await read(executed, { transaction: placed, block, network, signal }));
    } catch (error) {
      if (!(error instanceof RejectedTransaction)) throw error;
      results.push({ refused: reasonOf(error.message) });
    }
    onRan(index + 1);
  }
  return results;
}

/** An inserted transaction takes the next nonce of its sender; any other one keeps its own. */
function runOne(
  open: OpenBlock,
  header: RpcBlock,
  transaction: RpcTransaction,
  placed: Placed,
): Promise<ExecutedTransaction> {
  if (isAsSigned(placed)) return open.record(transaction);
  const keepsNonce = placed.was !== undefined;
  return open.simulate({ transaction, header, overrides: {}, keepsNonce });
}

const isAsSigned = ({ transaction, was, isSet }: Placed): boolean =>
  !isSet && was !== undefined && hasSignedForm(transaction);

async function read(
  executed: ExecutedTransaction,
  {
    transaction,
    block,
    network,
    signal,
  }: Pick<RunOptions, 'block' | 'network' | 'signal'> & { transaction: RpcTransaction },
): Promise<Ran> {
  const { receipt, changes } = executed;
  const mined: MinedTransaction = { transaction, receipt, block };
  const trace = await executedTrace(executed, mined, signal);
  const work = transfersWork(trace.root, {
    wrappedNative: network.wrappedNative,
    contracts: new Map(),
    destructionNeedsCreation: true,
  });
  const placed = await inSlices(work, signal);
  return { receipt, trace, changes, transfers: placed.map(({ transfer }) => transfer) };
}

/** The virtual machine's reason in the words of a block. */
function reasonOf(message: string): string {
  const [, account, own] = /account has nonce of: (\d+) tx has nonce of: (\d+)/.exec(message) ?? [];
  if (account === undefined || own === undefined) return message.replace(/^Transaction's /, 'its ');
  return `its nonce is ${own}, and the next one of its sender ${account}`;
}

import { inSlices, pause } from '../../kernel/async/slices';
import type { EngineState } from '../../evm/forms/engine-state';
import type { RpcBlock, RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { isSince } from '../../evm/forms/hardfork-order';
import { isExactOpStack } from '../../evm/families/op-stack/upgrades';
import type {
  BlockExecutor,
  ExecutedTransaction,
  OpenBlock,
  PlacedBlock,
  Simulated,
  SimulatedTransaction,
} from '../prefix/block-executor';
import { stateWork, type StateJson } from '../prefix/read-state';
import { ExecutorThreads, type LentThread } from './executor-threads';
import type { Task } from './messages';

/** Transactions that are sent to a thread in one message. */
const PER_MESSAGE = 50;

/** Executes blocks of the OP Stack and of Amsterdam in worker threads of this process. */
export class ThreadExecutor implements BlockExecutor {
  constructor(private readonly threads = new ExecutorThreads()) {}

  begin(block: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> | undefined {
    const { chainId, hardfork, header } = block;
    const isNeeded = isExactOpStack(chainId, header) || isSince(hardfork, 'amsterdam');
    return isNeeded ? this.open(block, signal) : undefined;
  }

  async open({ rpc, ...block }: PlacedBlock, signal: AbortSignal): Promise<OpenBlock> {
    const lent = await this.threads.lend(rpc, signal);
    const open = new BlockInThread(lent, signal);
    try {
      await open.begin({ ...block, header: withoutBody(block.header) });
      return open;
    } catch (error) {
      open.close();
      throw error;
    }
  }
}

/** A block that a worker thread executes. */
class BlockInThread implements OpenBlock {
  constructor(
    private readonly lent: LentThread,
    private readonly signal: AbortSignal,
  ) {}

  async begin(block: Omit<PlacedBlock, 'rpc'>): Promise<void> {
    await this.#run({ kind: 'begin', block });
  }

  async warm(transactions: readonly RpcTransaction[]): Promise<void> {
    const parts: Promise<unknown>[] = [];
    for (let from = 0; from < transactions.length; from += PER_MESSAGE) {
      const part = transactions.slice(from, from + PER_MESSAGE);
      parts.push(this.#run({ kind: 'warm', transactions: part }));
      await pause();
    }
    await Promise.all(parts);
  }

  execute(transaction: RpcTransaction): Promise<RpcReceipt> {
    return this.#run({ kind: 'execute', transaction }) as Promise<RpcReceipt>;
  }

  record(transaction: RpcTransaction): Promise<ExecutedTransaction> {
    return this.#run({ kind: 'record', transaction }) as Promise<ExecutedTransaction>;
  }

  simulate(simulated: SimulatedTransaction): Promise<Simulated> {
    const sent = { ...simulated, header: withoutBody(simulated.header) };
    return this.#run({ kind: 'simulate', simulated: sent }) as Promise<Simulated>;
  }

  async end({ withdrawals }: Pick<RpcBlock, 'withdrawals'>): Promise<void> {
    await this.#run({ kind: 'end', block: { ...(withdrawals && { withdrawals }) } });
  }

  async loaded(): Promise<EngineState> {
    const state = (await this.#run({ kind: 'loaded' })) as StateJson;
    return inSlices(stateWork(state), this.signal);
  }

  async difference(): Promise<string | undefined> {
    return ((await this.#run({ kind: 'difference' })) as string | null) ?? undefined;
  }

  close(): void {
    this.lent.giveBack();
  }

  #run(task: Task): Promise<unknown> {
    return this.lent.thread.run(task);
  }
}

/** A header may be a whole block, whose transactions nobody needs a second time. */
function withoutBody(header: RpcBlockHeader): RpcBlockHeader {
  const members = Object.entries(header).filter(
    ([name]) => name !== 'transactions' && name !== 'withdrawals',
  );
  return Object.fromEntries(members) as unknown as RpcBlockHeader;
}

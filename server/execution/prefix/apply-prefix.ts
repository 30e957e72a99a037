import { ApiError } from '../../api/errors';
import { requestEach, RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import type { BlobRules } from '../../evm/rules/blob-price';
import { enterBlock } from './block-context';
import {
  compareReceipts,
  type ForeignTransaction,
  type ReplayComparison,
} from './compare-receipts';
import {
  complete,
  delegationDifference,
  stateChanges,
  type EngineState,
} from '../../evm/forms/engine-state';
import { applyExecuted, type ExactExecution } from './apply-executed';
import { EngineBlobGas } from './engine-blob-gas';
import { executeInOrder } from './execute-in-order';
import { isDeposit } from '../../evm/forms/deposit';
import { isOpFeeRecipient } from '../../evm/families/op-stack/upgrades';
import { containsOpcode, OPCODES } from './opcodes';
import { keepAtHand, warm } from './load-state';
import { readState } from './read-state';
import { planReplay, type ReplayStep } from './replay-steps';

export interface ApplyOptions {
  /** The original receipts of the transactions, in order, for the comparison. */
  receipts: readonly RpcReceipt[];
  /** Client of the forked chain. It returns the changes of transactions that the engine cannot execute. */
  upstream: RpcClient;
  /** Rules of the block's blob gas. Undefined: the engine's. */
  rules?: BlobRules | undefined;
  /** Result of `planReplay` for the prefix, if already computed. */
  steps?: readonly ReplayStep[] | undefined;
  /** Used if the block has rules that the engine does not execute. */
  exact?: ExactExecution | undefined;
  signal?: AbortSignal | undefined;
  /** Called after each transaction that was added to the pool. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Applies the first `count` transactions of a block, in the block's own context, and mines them as a block of the same number. The engine
 * chooses the PREVRANDAO of its blocks itself, and accepts Ethereum's transaction types only. Where this matters, the resulting state is
 * replaced by that of an execution with the real PREVRANDAO and with the other transactions in their places.
 * @param engine stands at the parent of `block`, mines on demand, first in first out, and runs under the chain's own id
 * @throws ApiError engineUnavailable if the engine refuses a transaction
 */
export async function applyTransactions(
  engine: RpcClient,
  block: RpcBlock,
  count: number,
  { receipts, upstream, rules, steps, exact, signal, onProgress }: ApplyOptions,
): Promise<ReplayComparison> {
  const prefix = { ...block, transactions: block.transactions.slice(0, count) };
  const applied =
    exact &&
    (await applyExecuted(engine, prefix, {
      exact,
      receipts: receipts.slice(0, count),
      mine: async () => {
        const own = prefix.transactions.filter((transaction) => !isDeposit(transaction));
        const signed = await planReplay({ ...prefix, transactions: own }, [], upstream, signal);
        return new PrefixReplay(engine, prefix, signed, { rules, signal }).mine();
      },
      signal: signal ?? new AbortController().signal,
      onProgress,
    }));
  if (typeof applied === 'object') return applied;
  const planned = steps ?? (await planReplay(prefix, receipts, upstream, signal));
  const comparison = await new PrefixReplay(engine, prefix, planned, { rules, signal }).run(
    onProgress,
  );
  const difference = count === 0 ? undefined : (applied ?? unexecutedFees(block));
  if (difference === undefined) return comparison;
  return { ...comparison, firstDifference: comparison.firstDifference ?? difference };
}

/** What the engine's state lacks although the receipts are equal, in words. */
const unexecutedFees = ({ miner }: RpcBlock): string | undefined =>
  isOpFeeRecipient(miner)
    ? "the chain's own fees (of the parent chain, of the operator) are not in the state: they are not executed here"
    : undefined;

class PrefixReplay {
  /** Foreign transactions before the first one that the engine executes. Nothing has to be mined before them. */
  readonly #leading: readonly ReplayStep[];
  readonly #own: readonly ReplayStep[];
  readonly #blobGas: EngineBlobGas | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #foreign = new Map<ReplayStep, boolean>();
  /** An unexpected difference between two executions with the original receipts, in words. */
  #inexactReason: string | undefined;

  constructor(
    private readonly engine: RpcClient,
    private readonly block: RpcBlock,
    private readonly steps: readonly ReplayStep[],
    { rules, signal }: Pick<ApplyOptions, 'rules' | 'signal'>,
  ) {
    this.#signal = signal;
    // The transactions are signed for the chain's own id, which the engine has.
    this.#blobGas = rules && new EngineBlobGas(engine, rules, rules.chainId, block);
    const first = steps.findIndex(({ raw }) => raw !== undefined);
    this.#leading = first === -1 ? steps : steps.slice(0, first);
    this.#own = steps.filter(({ raw }) => raw !== undefined);
  }

  async run(onProgress: ApplyOptions['onProgress']): Promise<ReplayComparison> {
    const { engine, steps } = this;
    const signal = this.#signal;
    await warm(engine, this.block, this.#own, signal);
    // Taken now, because a revert unloads what was loaded after the snapshot.
    const parent = await engine.request('evm_snapshot', [], { signal });
    const hasForeignInside = steps.length - this.#leading.length > this.#own.length;
    // The engine's price of blobs, and its limit of blobs per block, may differ from the chain's.
    const hasBlobs = this.#own.some(({ transaction }) => isBlob(transaction));
    const isInexact = hasForeignInside || hasBlobs;
    await this.#enter();
    // What takes longest is reported: the transactions that are executed in order, if it is known that they will be.
    const mined = await this.#mine(isInexact ? undefined : onProgress);
    const state = await readState(engine, signal);
    if (!isInexact && !this.#refundsTooMuch(mined) && !(await this.#readsRandomness(state))) {
      return this.#compare(mined);
    }
    await engine.request('evm_revert', [parent], { signal });
    return this.#compare(await this.#correct(state, isInexact ? onProgress : undefined));
  }

  /** Only mines the transactions that the engine accepts, in the context that it is in. */
  mine(): Promise<RpcReceipt[]> {
    return this.#mine(undefined);
  }

  #compare(executed: readonly RpcReceipt[]): ReplayComparison {
    const originals = this.#own.flatMap(({ receipt }) => receipt ?? []);
    const { applied, firstDifference = this.#inexactReason } = compareReceipts(executed, originals);
    if (this.#foreign.size === 0) {
      return { applied, ...(firstDifference === undefined ? {} : { firstDifference }) };
    }
    const foreign = [...this.#foreign].map(([{ transaction }, done]): ForeignTransaction => ({
      index: Number(transaction.transactionIndex),
      hash: transaction.hash,
      type: transaction.type ?? '0x0',
      applied: done,
    }));
    const skipped = foreign.find((one) => !one.applied);
    const difference =
      skipped === undefined
        ? firstDifference
        : `transaction ${skipped.index} (${skipped.hash}) of type ${skipped.type} was not applied: the engine cannot execute it, and the forked chain's node does not return its changes`;
    return {
      applied: applied + foreign.filter((one) => one.applied).length,
      ...(difference === undefined ? {} : { firstDifference: difference }),
      foreign,
    };
  }

  /** Sets the block's context and executes the leading foreign transactions. */
  async #enter(): Promise<void> {
    await this.#blobGas?.enterOriginal(this.block, this.#signal);
    await enterBlock(this.engine, this.block, this.#signal);
    await this.#executeInOrder(this.#leading);
  }

  #executeInOrder(steps: readonly ReplayStep[], onProgress?: () => void): Promise<RpcReceipt[]> {
    return executeInOrder(this.engine, this.block, steps, {
      signal: this.#signal,
      onForeign: (step, applied) => this.#foreign.set(step, applied),
      onProgress,
    });
  }

  async #mine(onProgress: ApplyOptions['onProgress']): Promise<RpcReceipt[]> {
    const { engine, block } = this;
    const signal = this.#signal;
    let done = this.#leading.length;
    for (let start = 0; start < this.#own.length; start += BATCH_SIZE) {
      const together = this.#own.slice(start, start + BATCH_SIZE);
      await send(engine, together, signal);
      together.forEach(() => onProgress?.(++done, this.steps.length));
    }
    await engine.request('evm_mine', [], { signal });
    // Transactions that could not be executed must not be mined in a later block of the fork.
    await engine.request('anvil_dropAllTransactions', [], { signal });
    await endImpersonation(engine, this.#own, signal);
    const receipts = await engine.request('eth_getBlockReceipts', [block.number], { signal });
    const mined = (receipts ?? []) as RpcReceipt[];
    const hashes = mined.map(({ transactionHash }) => transactionHash);
    const inOrder = this.#own
      .map(({ transaction }) => transaction.hash)
      .filter((hash) => hashes.includes(hash));
    if (hashes.join() !== inOrder.join()) {
      this.#inexactReason ??= 'the engine mined the transactions in another order';
    }
    return mined;
  }

  /** Whether the engine charged less gas for authorizations (EIP-7702) than the chain: see `unchargedGas`. */
  #refundsTooMuch(mined: readonly RpcReceipt[]): boolean {
    return this.#own.some(
      ({ transaction, receipt }, index) =>
        transaction.authorizationList !== undefined &&
        receipt !== undefined &&
        BigInt(mined[index]?.gasUsed ?? receipt.gasUsed) < BigInt(receipt.gasUsed),
    );
  }

  /** Whether the block has a PREVRANDAO (EIP-4399). */
  get #hasRandomness(): boolean {
    const { mixHash, difficulty = '0x0' } = this.block;
    return mixHash !== undefined && BigInt(difficulty) === 0n;
  }

  /** Whether the engine, which draws PREVRANDAO itself, has executed code that may read it. @param state what it has loaded */
  async #readsRandomness(state: EngineState): Promise<boolean> {
    const { engine, block } = this;
    const signal = this.#signal;
    if (!this.#hasRandomness) return false;
    const params = [block.number, false];
    const mined = await engine.request('eth_getBlockByNumber', params, { signal });
    if ((mined as RpcBlockHeader | null)?.mixHash === block.mixHash) return false;
    return [...state.values()].some(({ code }) => containsOpcode(code, OPCODES.PREVRANDAO));
  }

  /**
   * Executes the transactions in order as calls, then mines them, and sets the state that the calls produced. The engine stands at the
   * parent.
   * @param touched what the mined transactions touched
   * @returns the receipts that the executable transactions would have
   */
  async #correct(
    touched: EngineState,
    onProgress: ApplyOptions['onProgress'],
  ): Promise<RpcReceipt[]> {
    const { engine, block, steps } = this;
    const signal = this.#signal;
    const parent = await engine.request('evm_snapshot', [], { signal });
    await keepAtHand(engine, block, touched, signal);
    await this.#enter();
    let done = this.#leading.length;
    const executed = await this.#executeInOrder(steps.slice(done), () => {
      onProgress?.(++done, steps.length);
    });
    const right = await readState(engine, signal);
    await engine.request('evm_revert', [parent], { signal });
    await this.#enter();
    await this.#mine(undefined);
    const wrong = await readState(engine, signal);
    // Accounts and slots that only the mined transactions touched keep the parent's values.
    await complete(engine, right, wrong, toQuantity(BigInt(block.number) - 1n), signal);
    await complete(engine, wrong, right, 'latest', signal);
    if (this.#foreign.size === 0) this.#inexactReason ??= delegationDifference(wrong, right);
    await requestEach(engine, stateChanges(wrong, right), { signal });
    return executed;
  }
}

/** Transactions in one message to the engine, which adds them to its pool in order. */
const BATCH_SIZE = 40;

async function send(
  engine: RpcClient,
  steps: readonly ReplayStep[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const senders = steps.filter(({ transaction }) => isBlob(transaction));
  await requestEach(
    engine,
    senders.map(({ transaction }) => ({
      method: 'anvil_impersonateAccount',
      params: [transaction.from],
    })),
    { signal },
  );
  const sends = steps.map(({ raw }) => ({ method: 'eth_sendRawTransaction', params: [raw] }));
  const outcomes = await engine.requestAll(sends, { signal });
  for (const [entryIndex, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    const error: unknown = outcome.reason;
    if (!(error instanceof RpcError)) throw error;
    throw new ApiError(
      'engineUnavailable',
      `the engine refuses transaction ${steps[entryIndex]?.transaction.hash ?? ''} of the replayed block: ${error.message}`,
      { cause: error },
    );
  }
}

/** Anvil accepts and mines a blob transaction without its sidecar only while its sender is impersonated. */
const isBlob = ({ type }: RpcTransaction): boolean => type === '0x3';

async function endImpersonation(
  engine: RpcClient,
  steps: readonly ReplayStep[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const calls = steps
    .filter(({ transaction }) => isBlob(transaction))
    .map(({ transaction }): RpcCall => ({
      method: 'anvil_stopImpersonatingAccount',
      params: [transaction.from],
    }));
  await engine.requestAll(calls, { signal });
}

import type { MinedTransaction, Network, TransactionTrace } from '../../analysis/ports';
import { traceDifference } from '../../analysis/traces/verify';
import type { Address, Hash, Hex } from '../../api/primitives';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import type { AccessListEntry, RpcBlock, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { systemCalls } from '../prefix/block-context';
import { OPCODES } from '../prefix/opcodes';
import { relatedTransactions } from '../prefix/prefix-selection';
import {
  accessOfList,
  OverridesExecutor,
  outerAccess,
  TooManyRounds,
  union,
  type DiscoveredState,
} from './overrides-executor';
import { ChainState, type Access } from './chain-state';
import { traceExecution } from '../tracing/trace-execution';

/** The transactions of the block before a transaction. */
export interface Prefix {
  readonly block: RpcBlock;
  /** Their receipts, in order. */
  readonly receipts: readonly RpcReceipt[];
}

export interface OverridesReplayOptions {
  /** An engine without a chain of its own, under the rules of the block. */
  readonly engine: RpcClient;
  readonly network: Network;
  readonly mined: MinedTransaction;
  /** Available before the whole prefix. */
  readonly block: () => Promise<RpcBlock>;
  /** Not awaited for the first transaction of a block. */
  readonly prefix: () => Promise<Prefix>;
  /** State that the transaction probably touches. */
  readonly guess: Promise<readonly AccessListEntry[]>;
  readonly signal: AbortSignal;
  /** Codes that the transaction finds in place of the chain's: its result is not compared with the receipt then. */
  readonly codes?: ReadonlyMap<Address, Hex>;
  /** Called after each earlier transaction that was applied. */
  readonly onReplay: (done: number, total: number) => void;
}

interface Executed {
  readonly access: Access;
  readonly trace: TransactionTrace;
}

/**
 * Types that the engine executes as calls exactly as the chain did. Blob transactions are not among them, because a call cannot set their
 * price.
 */
const EXACT_TYPES = new Set<string | undefined>([undefined, '0x0', '0x1', '0x2', '0x4']);

/** Maximum number of earlier transactions for which all touched state is loaded in advance. */
const LOADED_BEFORE = 16;

/**
 * Executes a transaction at its position without a fork. The state that it touches is read from the chain in a few batches and sent with
 * each call. Only earlier transactions that touch the same accounts are executed before it.
 * @returns undefined if the result differs from the receipt, may not be exact, or needs too many rounds
 */
export async function replayWithOverrides(
  attempt: OverridesReplayOptions,
): Promise<TransactionTrace | undefined> {
  if (!EXACT_TYPES.has(attempt.mined.transaction.type)) return undefined;
  try {
    return await new OverridesReplay(attempt).run();
  } catch (error) {
    if (error instanceof TooManyRounds) return undefined;
    if (error instanceof RpcError) return undefined; // refused, because a transaction that it needs was left out
    throw error;
  }
}

class OverridesReplay {
  readonly #calls: OverridesExecutor;
  /** Of the transaction itself. */
  readonly #own: OverridesExecutor;
  readonly #state: ChainState;
  /** Results by hash, on the state before the block. */
  readonly #alone = new Map<Hash, DiscoveredState>();

  constructor(private readonly attempt: OverridesReplayOptions) {
    const { engine, network, mined } = attempt;
    this.#state = new ChainState(network.rpc, Number(mined.block.number) - 1);
    for (const { params } of systemCalls(mined.block)) {
      const [address, slot, value] = params as [Address, Hex, Hex];
      this.#state.preset(address, toSlot(slot), value);
    }
    const { codes } = attempt;
    this.#calls = new OverridesExecutor(engine, network.rpc, this.#state, mined.block);
    this.#own = codes
      ? new OverridesExecutor(engine, network.rpc, this.#state, mined.block, codes)
      : this.#calls;
  }

  async run(): Promise<TransactionTrace | undefined> {
    const { mined, prefix } = this.attempt;
    const position = Number(mined.transaction.transactionIndex);
    const own = this.#outer(mined.transaction);
    // eslint-disable-next-line promises/handled-at-once -- it never rejects
    const before = this.#loadBefore(position);
    const [listed] = await Promise.all([
      this.attempt.guess,
      this.#state.load(own, this.attempt.signal),
    ]);
    const guess = union(own, accessOfList(listed));
    let executed = await this.#execute(guess, 0);
    if (position === 0) return this.#accepted(executed);
    const { block, receipts } = await prefix();
    await before;
    const accounts = new Set<Address>();
    let access: Access = guess;
    for (let applied = 0; ;) {
      access = executed?.access ?? access;
      this.#noteAccounts(access, accounts);
      const related = relatedTransactions(block, position, receipts, accounts);
      if (related.length === applied) return this.#accepted(executed);
      applied = related.length;
      const refused = await this.#apply(block, related);
      if (refused === 'inexact') return undefined;
      // They lack funds that an earlier transaction paid to them.
      for (const sender of refused) accounts.add(sender);
      executed = refused.length === 0 ? await this.#execute(access, applied) : undefined;
    }
  }

  /**
   * Loads the state that the earlier transactions certainly touch, while their receipts are requested. If there are many, only related ones
   * are loaded later.
   */
  async #loadBefore(position: number): Promise<void> {
    if (position === 0 || position > LOADED_BEFORE) return;
    try {
      const { transactions } = await this.attempt.block();
      const accesses = transactions.slice(0, position).map((one) => this.#outer(one));
      await this.#state.load(union(...accesses), this.attempt.signal);
    } catch {
      // A later load requests the same state and reports the failure.
    }
  }

  /**
   * Traces the transaction itself on the current state.
   * @returns undefined if the engine refuses it
   */
  async #execute(guess: Access, applied: number): Promise<Executed | undefined> {
    const { mined, signal, engine } = this.attempt;
    const { transaction } = mined;
    const discovered = await this.#executeOn(transaction, guess, this.#own);
    if (!discovered) return undefined;
    const { access, touched, changes } = discovered;
    const trace = await traceExecution({
      engine,
      mined,
      run: (tracer, options) => this.#own.trace({ transaction, access }, tracer, options),
      state: { touched, changes, prestate: this.#state.prestate(access) },
      signal,
    });

    const proof = { wholePrefix: Number(transaction.transactionIndex) === 0 };
    const { codes } = this.attempt;
    return { access, trace: { ...trace, ...(codes && { changes }), applied, proof } };
  }

  /**
   * Builds the state after the given transactions of the block. All are executed concurrently first. Then, in order, those that touch
   * another one's changes are executed again.
   * @returns `inexact` if the result may differ from the chain's state; else the senders of the transactions that the engine refuses
   */
  async #apply(block: RpcBlock, indexes: readonly number[]): Promise<'inexact' | Address[]> {
    const transactions = indexes.flatMap((index) => block.transactions[index] ?? []);
    if (transactions.some(({ type }) => !EXACT_TYPES.has(type))) return 'inexact';
    this.#state.reset();
    await this.#executeAlone(transactions);
    const refused: Address[] = [];
    for (const [entryIndex, transaction] of transactions.entries()) {
      let done = this.#alone.get(transaction.hash);
      if (!done || this.#state.hasChanged(done.access, this.#commons)) {
        done = await this.#executeOn(transaction, done?.access ?? this.#outer(transaction));
      }
      if (!done) {
        refused.push(lower(transaction.from));
        continue;
      }
      if (this.#mayDestroy(done.access)) return 'inexact';
      if (!this.#state.change(done.changes, this.#commons)) return 'inexact';
      this.attempt.onReplay(entryIndex + 1, transactions.length);
    }
    return refused;
  }

  /** Executes transactions on the state before the block, if not done yet. */
  async #executeAlone(transactions: readonly RpcTransaction[]): Promise<void> {
    const guesses = transactions
      .filter(({ hash }) => !this.#alone.has(hash))
      .map((transaction) => ({ transaction, access: this.#outer(transaction) }));
    const discovered = await this.#calls.discoverState(guesses, this.attempt.signal);
    for (const [hash, one] of discovered) this.#alone.set(hash, one);
  }

  /** Executes a transaction on the current state. */
  async #executeOn(
    transaction: RpcTransaction,
    access: Access,
    calls = this.#calls,
  ): Promise<DiscoveredState | undefined> {
    const discovered = await calls.discoverState([{ transaction, access }], this.attempt.signal);
    return discovered.get(transaction.hash);
  }

  /** With other codes, any result is the transaction's. */
  #accepted(executed: Executed | undefined): TransactionTrace | undefined {
    const { codes, mined } = this.attempt;
    if (!executed || codes) return executed?.trace;
    return traceDifference(executed.trace, mined.receipt) === undefined
      ? executed.trace
      : undefined;
  }

  #outer(transaction: RpcTransaction): Access {
    return outerAccess(transaction, this.attempt.mined.block);
  }

  /**
   * A diff does not contain destroyed accounts. Since Cancun (EIP-6780), only accounts that the same transaction created can be destroyed.
   */
  #mayDestroy(access: Access): boolean {
    const { block } = this.attempt.mined;
    return (
      block.excessBlobGas === undefined && this.#state.anyContains(access, OPCODES.SELFDESTRUCT)
    );
  }

  /** The fee recipient. All transactions pay it, so it does not make one depend on another. */
  get #commons(): Address {
    return lower(this.attempt.mined.block.miner);
  }

  /** Adds accounts. The fee recipient counts only if it is the sender or recipient of the transaction. */
  #noteAccounts(access: Access, accounts: Set<Address>): void {
    const { from, to } = this.attempt.mined.transaction;
    const isParty = [from, to].some((one) => one !== null && lower(one) === this.#commons);
    for (const account of access.keys()) {
      if (account !== this.#commons || isParty) accounts.add(account);
    }
  }
}

const lower = (address: Address): Address => address.toLowerCase() as Address;
const toSlot = (slot: Hex): Hash => `0x${slot.slice(2).padStart(64, '0')}`;

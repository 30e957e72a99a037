import { ApiError } from '../../api/errors';
import type { Address, Hash } from '../../api/primitives';
import { pause } from '../../kernel/async/slices';
import { settled } from '../../kernel/async/settled';
import { isDeposit } from '../../evm/forms/deposit';
import {
  complete,
  setBalance,
  setNonce,
  stateChanges,
  type EngineAccount,
  type EngineState,
} from '../../evm/forms/engine-state';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { RpcBlock, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { enterBlock } from './block-context';
import type { BlockExecutor, OpenBlock, PlacedBlock } from './block-executor';
import type { ReplayComparison } from './compare-receipts';
import { differenceAfterBlock, executeFirst } from './execute-block';
import { readState } from './read-state';

/** Executes the block of the transactions by its chain's own rules. */
export interface ExactExecution {
  readonly executor: BlockExecutor;
  readonly place: PlacedBlock;
  /** The block with all of its transactions; compares the result with the chain's state after it. */
  readonly whole?: RpcBlock | undefined;
}

interface Application {
  readonly exact: ExactExecution;
  readonly receipts: readonly RpcReceipt[];
  /** Mines the transactions that the engine accepts. */
  readonly mine: () => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Executes the first transactions of a block by the chain's own rules, lets the engine mine those that it accepts as a block of the same
 * number, and sets the state that the execution produced.
 * @param block with these transactions only
 * @returns undefined if the engine's own execution is as good, or nothing here executes the block; why the execution failed, in words, and
 * then the engine's state is unchanged
 */
export async function applyExecuted(
  engine: RpcClient,
  block: RpcBlock,
  application: Application,
): Promise<ReplayComparison | string | undefined> {
  const { exact, signal } = application;
  let open: OpenBlock | undefined;
  try {
    open = await exact.executor.begin(exact.place, signal);
  } catch (error) {
    return reasonOf(error, signal);
  }
  if (!open) return undefined;
  try {
    return await applyOpen(engine, block, open, application);
  } finally {
    open.close();
  }
}

async function applyOpen(
  engine: RpcClient,
  block: RpcBlock,
  open: OpenBlock,
  { exact, receipts, mine, signal, onProgress }: Application,
): Promise<ReplayComparison | string> {
  let comparison: ReplayComparison;
  let right: EngineState;
  try {
    comparison = await executeFirst(open, block, receipts, onProgress);
    right = await open.loaded();
  } catch (error) {
    return reasonOf(error, signal);
  }
  const { whole } = exact;
  const from = block.transactions.length;
  // The rest of the block is executed while the engine takes the state.
  const proved =
    whole && comparison.firstDifference === undefined
      ? settled(differenceAfterBlock(open, whole, from))
      : undefined;
  await setState(engine, block, right, mine, signal);
  const foreign = block.transactions.filter(isDeposit).map(({ transactionIndex, hash, type }) => ({
    index: Number(transactionIndex),
    hash,
    type: type ?? '0x0',
    applied: true,
  }));
  const executed = { ...comparison, executor: 'process' as const };
  const applied = foreign.length === 0 ? executed : { ...executed, foreign };
  if (!proved) return applied;
  const difference = await proved().catch((error: unknown) => {
    if (signal.aborted) throw error;
    return `the state is not compared with the chain's: ${messageOf(error)}`;
  });
  return difference === undefined ? applied : { ...applied, firstDifference: difference };
}

/**
 * Why a block was not executed, in words.
 * @throws the error if the chain's node is not reachable, or the execution was cancelled
 */
export function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted || error instanceof ApiError) throw error;
  return `the block was not executed by the chain's own rules: ${messageOf(error)}`;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function setState(
  engine: RpcClient,
  block: RpcBlock,
  right: EngineState,
  mine: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  await enterBlock(engine, block, signal);
  await requestEach(engine, endowments(block.transactions), { signal });
  await mine();
  const wrong = await readState(engine, signal);
  const parent = toQuantity(BigInt(block.number) - 1n);
  for (const [rightPart, wrongPart] of inParts(right, wrong)) {
    // Accounts and slots that only the mined transactions touched keep the parent's values.
    await complete(engine, rightPart, wrongPart, parent, signal);
    await complete(engine, wrongPart, rightPart, 'latest', signal);
    await requestEach(engine, stateChanges(wrongPart, rightPart), { signal });
    await pause();
  }
}

/** Accounts and slots that are compared and set at a time. */
const PART = 1_000;

/** Two states in parts of the same accounts and slots. An account with many slots is in several parts. */
function* inParts(
  one: EngineState,
  other: EngineState,
): Generator<readonly [EngineState, EngineState]> {
  const empty = (): [EngineState, EngineState] => [
    new Map<Address, EngineAccount>(),
    new Map<Address, EngineAccount>(),
  ];
  let parts = empty();
  let size = 0;
  const add = (address: Address, slots: readonly Hash[]): void => {
    for (const [index, state] of [one, other].entries()) {
      const account = state.get(address);
      if (!account) continue;
      const storage = new Map<Hash, Hash>();
      for (const slot of slots) {
        const value = account.storage.get(slot);
        if (value !== undefined) storage.set(slot, value);
      }
      parts[index]?.set(address, { ...account, storage });
    }
    size += 1 + slots.length;
  };
  for (const address of new Set([...one.keys(), ...other.keys()])) {
    const slots = slotsOf(address, one, other);
    for (let from = 0; from === 0 || from < slots.length; from += PART) {
      add(address, slots.slice(from, from + PART));
      if (size < PART) continue;
      yield parts;
      parts = empty();
      size = 0;
    }
  }
  if (size > 0) yield parts;
}

const slotsOf = (address: Address, ...states: readonly EngineState[]): readonly Hash[] =>
  Array.from(
    new Set(states.flatMap((state) => Array.from(state.get(address)?.storage.keys() ?? []))),
  );

/** Enough for any transaction, in wei. */
const AMPLE_BALANCE = 2n ** 128n;

/** Balances and nonces with which the engine can mine the transactions: it executes no deposits, which may have paid their senders. */
function endowments(transactions: readonly RpcTransaction[]): RpcCall[] {
  const calls = new Map<string, RpcCall[]>();
  for (const transaction of transactions) {
    const { from, nonce } = transaction;
    if (isDeposit(transaction) || calls.has(from)) continue;
    calls.set(from, [setBalance(from, AMPLE_BALANCE), setNonce(from, BigInt(nonce))]);
  }
  return [...calls.values()].flat();
}

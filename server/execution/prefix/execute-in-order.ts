import type { Address, Hex } from '../../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlock, RpcReceipt } from '../../evm/forms/types';
import { toQuantity } from '../../evm/forms/quantity';
import { unchargedGas } from './authorization-gas';
import { blobPriceOfCalls } from './engine-blob-price';
import { setBalance } from '../../evm/forms/engine-state';
import { predictEffects } from './predict-effects';
import { foreignChanges, undefinedIfRefused, type ReplayStep } from './replay-steps';
import type { StateDiff } from '../../evm/forms/prestate-diff';

export interface InOrderOptions {
  signal?: AbortSignal | undefined;
  /** Called for each transaction that the engine cannot execute, with whether its changes are in the state. */
  onForeign?: ((step: ReplayStep, applied: boolean) => void) | undefined;
  /** Awaited while the engine's state is the one immediately before the transaction. */
  onTransaction?: ((step: ReplayStep) => Promise<void>) | undefined;
  /** Called after each transaction, whose changes may still be under way. */
  onProgress?: (() => void) | undefined;
}

/**
 * Executes transactions of a block as calls, each on the state after those before it. No block is mined.
 * @returns the receipts that the executable transactions would have, without refused ones
 */
export async function executeInOrder(
  engine: RpcClient,
  block: RpcBlock,
  steps: readonly ReplayStep[],
  { signal, onForeign, onTransaction, onProgress }: InOrderOptions = {},
): Promise<RpcReceipt[]> {
  const receipts: RpcReceipt[] = [];
  const hasBlobs = steps.some(({ transaction }) => transaction.type === '0x3');
  const blobPrice = hasBlobs ? await blobPriceOfCalls(engine, signal) : 0n;
  /** Changes of the last transaction that are not made yet. The next execution is sent with them, in one list, whose order the engine keeps. */
  let open: readonly RpcCall[] = [];
  const makeChanges = async (): Promise<void> => {
    const changes = open;
    open = [];
    await requestEach(engine, changes, { signal });
  };
  for (const step of steps) {
    if (onTransaction || step.raw === undefined) await makeChanges();
    await onTransaction?.(step);
    if (step.raw === undefined) {
      const changes = await foreignChanges(engine, block, step, signal);
      onForeign?.(step, changes !== undefined);
      open = changes ?? [];
      onProgress?.();
      continue;
    }
    const after = open;
    open = [];
    const executed = await undefinedIfRefused(
      predictEffects(engine, block, step.transaction, { after, signal }),
    );
    onProgress?.();
    // It cannot be executed if it needs funds from a transaction that was left out.
    if (!executed) continue;
    open = executed.changes;
    const gas = uncharged(step, executed);
    if (gas > 0n || isBlobFee(step)) {
      await makeChanges();
      await correctBlobFee(engine, step, blobPrice, signal);
      if (gas > 0n) await charge(engine, block, step, gas, signal);
    }
    const gasUsed = toQuantity(BigInt(executed.receipt.gasUsed) + gas);
    receipts.push({ ...executed.receipt, gasUsed });
  }
  await makeChanges();
  return receipts;
}

const uncharged = (
  { transaction, receipt }: ReplayStep,
  executed: { diff: StateDiff; receipt: RpcReceipt },
): bigint =>
  receipt === undefined
    ? 0n
    : unchargedGas(
        transaction,
        executed.diff.pre,
        BigInt(executed.receipt.gasUsed),
        BigInt(receipt.gasUsed),
      );

/** Charges the sender for gas that the engine did not charge, and pays the fee recipient its part. */
async function charge(
  engine: RpcClient,
  block: RpcBlock,
  { transaction, receipt }: ReplayStep,
  gas: bigint,
  signal: AbortSignal | undefined,
): Promise<void> {
  const price = BigInt(receipt?.effectiveGasPrice ?? transaction.gasPrice ?? '0x0');
  const tip = price - BigInt(block.baseFeePerGas ?? '0x0');
  await addBalance(engine, transaction.from, -gas * price, signal);
  if (tip > 0n) await addBalance(engine, block.miner, gas * tip, signal);
}

async function addBalance(
  engine: RpcClient,
  account: Address,
  amount: bigint,
  signal: AbortSignal | undefined,
): Promise<void> {
  const currentBalance = (await engine.request('eth_getBalance', [account, 'latest'], {
    signal,
  })) as Hex;
  await requestEach(engine, [setBalance(account, BigInt(currentBalance) + amount)], { signal });
}

const isBlobFee = ({ receipt }: ReplayStep): boolean =>
  receipt?.blobGasUsed !== undefined && receipt.blobGasPrice !== undefined;

async function correctBlobFee(
  engine: RpcClient,
  { transaction, receipt }: ReplayStep,
  charged: bigint,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (receipt?.blobGasUsed === undefined || receipt.blobGasPrice === undefined) return;
  const excess = BigInt(receipt.blobGasUsed) * (charged - BigInt(receipt.blobGasPrice));
  await addBalance(engine, transaction.from, excess, signal);
}

import { charged, moved, type BalanceChanges } from '../../analysis/gas/charge';
import { blobFee } from '../../analysis/gas/fee';
import type { MinedTransaction } from '../../analysis/ports';
import type { Address } from '../../api/primitives';
import { GAS_PER_BLOB } from '../../evm/rules/blob-price';
import type { RpcClient } from '../../evm/forms/json-rpc';
import { unchargedGas } from '../prefix/authorization-gas';
import { blobPriceOfCalls } from '../prefix/engine-blob-price';
import { withMint } from './deposit-mint';

/** Price of blob gas when an engine traces a transaction that it mined, wei. */
const ENGINE_TRACE_PRICE = 1n;

/**
 * Corrects the changes of a transaction (`prestateTracer` with `diffMode`) that an engine executed as a call on its newest state:
 * - the price of blob gas is the receipt's, because a call cannot set it,
 * - the gas is the receipt's, if the engine refunds too much for authorizations,
 * - the mint of a deposit is included.
 * @param engineGas gas that the call used according to the engine
 */
export async function changesOfReplay(
  engine: RpcClient,
  mined: MinedTransaction,
  answer: unknown,
  engineGas: bigint,
  signal: AbortSignal,
): Promise<unknown> {
  if (blobsOf(mined) > 0n) return repriced(mined, answer, await blobPriceOfCalls(engine, signal));
  const uncharged = unchargedBy(mined, answer, engineGas);
  return uncharged > 0n
    ? charged(mined, answer as BalanceChanges, uncharged)
    : withMint(mined.transaction, answer);
}

/** Gas of the receipt that an engine does not charge: see `unchargedGas`. @param changes result of `prestateTracer` with `diffMode` */
export function unchargedBy(
  { transaction, receipt }: MinedTransaction,
  changes: unknown,
  engineGas: bigint,
): bigint {
  if (transaction.authorizationList === undefined || !changes) return 0n;
  return unchargedGas(
    transaction,
    (changes as BalanceChanges).pre,
    engineGas,
    BigInt(receipt.gasUsed),
  );
}

/** Corrects the changes of a transaction that the engine mined itself. */
export const changesOnEngine = (mined: MinedTransaction, answer: unknown): unknown =>
  blobsOf(mined) === 0n ? answer : repriced(mined, answer, ENGINE_TRACE_PRICE);

const blobsOf = ({ transaction }: MinedTransaction): bigint =>
  BigInt(transaction.blobVersionedHashes?.length ?? 0);

function repriced(mined: MinedTransaction, answer: unknown, price: bigint): BalanceChanges {
  const wrong = blobsOf(mined) * GAS_PER_BLOB * price - blobFee(mined.receipt);
  return moved(answer as BalanceChanges, lower(mined.transaction.from), wrong);
}

const lower = (address: Address): Address => address.toLowerCase() as Address;

import { blobFee, gasFee } from '../../analysis/gas/fee';
import type { MinedTransaction } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import { GAS_PER_BLOB } from '../../rules/blob-price';
import type { RpcClient } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import { unchargedGas } from '../prefix/authorization-gas';
import { blobPriceOfCalls } from '../prefix/blob-price';
import { withMint } from './deposit-mint';

/** Price of blob gas when an engine traces a transaction that it mined, wei. */
const ENGINE_TRACE_PRICE = 1n;

/** The required part of `prestateTracer`'s result in diff mode. */
interface Changes {
  pre: Record<Address, { balance?: Hex }>;
  post: Record<Address, { balance?: Hex }>;
}

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
    ? charged(mined, answer as Changes, uncharged)
    : withMint(mined.transaction, answer);
}

/** Gas of the receipt that an engine does not charge: see `unchargedGas`. @param changes result of `prestateTracer` with `diffMode` */
export function unchargedBy(
  { transaction, receipt }: MinedTransaction,
  changes: unknown,
  engineGas: bigint,
): bigint {
  if (transaction.authorizationList === undefined || !changes) return 0n;
  return unchargedGas(transaction, (changes as Changes).pre, engineGas, BigInt(receipt.gasUsed));
}

/** Corrects the changes of a transaction that the engine mined itself. */
export const changesOnEngine = (mined: MinedTransaction, answer: unknown): unknown =>
  blobsOf(mined) === 0n ? answer : repriced(mined, answer, ENGINE_TRACE_PRICE);

const blobsOf = ({ transaction }: MinedTransaction): bigint =>
  BigInt(transaction.blobVersionedHashes?.length ?? 0);

function repriced(mined: MinedTransaction, answer: unknown, price: bigint): Changes {
  const wrong = blobsOf(mined) * GAS_PER_BLOB * price - blobFee(mined.receipt);
  return moved(answer as Changes, lower(mined.transaction.from), wrong);
}

/** @param gas gas that the sender still has to pay, of which the fee recipient gets its part */
function charged(mined: MinedTransaction, changes: Changes, gas: bigint): Changes {
  const { payer, recipient, received, execution } = gasFee(mined);
  const used = BigInt(mined.receipt.gasUsed);
  const paid = moved(changes, payer, (-execution / used) * gas);
  return moved(paid, recipient, (received / used) * gas);
}

/** @param amount wei to add to the account */
function moved({ pre, post }: Changes, account: Address, amount: bigint): Changes {
  if (amount === 0n) return { pre, post };
  const left = BigInt(post[account]?.balance ?? pre[account]?.balance ?? '0x0');
  return {
    pre,
    post: { ...post, [account]: { ...post[account], balance: toQuantity(left + amount) } },
  };
}

const lower = (address: Address): Address => address.toLowerCase() as Address;

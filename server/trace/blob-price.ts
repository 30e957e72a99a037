import { blobFee } from '../analysis/gas-fee';
import type { MinedTransaction } from '../analysis/ports';
import type { Address, Hex } from '../api/primitives';
import type { RpcClient } from '../ethereum/json-rpc';
import { toQuantity } from '../ethereum/quantity';
import { blobPriceOfCalls, GAS_PER_BLOB } from '../replay/blob-price';
import { withMint } from './deposit-mint';

/** What an engine of ours charges where it traces a transaction of its own, wei. */
const ENGINE_TRACE_PRICE = 1n;

/** What `prestateTracer` answers in its diff mode, as far as it matters here. */
interface Changes {
  pre: Record<Address, { balance?: Hex }>;
  post: Record<Address, { balance?: Hex }>;
}

/**
 * What a transaction changed (`prestateTracer` with `diffMode`), executed by an engine as a call on its newest state: as if its
 * blobs had cost what the receipt says, as no call can be given its block's price of blob gas, and with what a deposit mints.
 */
export async function changesOfReplay(
  engine: RpcClient,
  mined: MinedTransaction,
  answer: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (blobsOf(mined) === 0n) return withMint(mined.transaction, answer);
  return repriced(mined, answer, await blobPriceOfCalls(engine, signal));
}

/** The same of a transaction that the engine mined itself. */
export const changesOnEngine = (mined: MinedTransaction, answer: unknown): unknown =>
  blobsOf(mined) === 0n ? answer : repriced(mined, answer, ENGINE_TRACE_PRICE);

const blobsOf = ({ transaction }: MinedTransaction): bigint =>
  BigInt(transaction.blobVersionedHashes?.length ?? 0);

function repriced(mined: MinedTransaction, answer: unknown, charged: bigint): Changes {
  const { pre, post } = answer as Changes;
  const sender = mined.transaction.from.toLowerCase() as Address;
  const left = BigInt(post[sender]?.balance ?? pre[sender]?.balance ?? '0x0');
  const wrong = blobsOf(mined) * GAS_PER_BLOB * charged - blobFee(mined.receipt);
  return {
    pre,
    post: { ...post, [sender]: { ...post[sender], balance: toQuantity(left + wrong) } },
  };
}

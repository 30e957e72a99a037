import type { Hardfork } from '../api/config';
import { fakeExponential } from './fake-exponential';
import { isSince } from './hardfork-order';
import { toQuantity } from '../ethereum/quantity';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../ethereum/types';

/** Gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n;

/** BLOB_BASE_FEE_UPDATE_FRACTION of EIP-4844, and since Prague of EIP-7691. */
const CANCUN_FRACTION = 3_338_477n;
const PRAGUE_FRACTION = 5_007_716n;
/** Update fractions of the blob parameter forks (EIP-7892) after Osaka (EIP-8134 and EIP-8135), with start times in Unix seconds. */
const BPO1_FRACTION = 8_346_193n;
const BPO2_FRACTION = 11_684_671n;
const BLOB_FORKS: ReadonlyMap<number, readonly [time: number, fraction: bigint][]> = new Map([
  [1, schedule(1_765_290_071, 1_767_747_671)],
  [11_155_111, schedule(1_761_017_184, 1_761_607_008)],
  [560_048, schedule(1_762_365_720, 1_762_955_544)],
]);

function schedule(bpo1: number, bpo2: number): [number, bigint][] {
  return [
    [bpo1, BPO1_FRACTION],
    [bpo2, BPO2_FRACTION],
  ];
}

/** Chains with a fixed update fraction of their own, and their lowest price in wei. */
const OWN: ReadonlyMap<number, { fraction: bigint; lowest: bigint }> = new Map([
  [100, { fraction: 1_112_826n, lowest: 10n ** 9n }],
  [56, { fraction: CANCUN_FRACTION, lowest: 1n }],
]);

/** Chain and hardfork of a block. */
export interface BlobRules {
  readonly chainId: number;
  readonly hardfork: Hardfork;
  /** The update fraction by the node's schedule (EIP-7910), which overrides the table. */
  readonly blobFraction?: bigint;
}

/** BLOB_BASE_FEE_UPDATE_FRACTION of Ethereum and its test networks. @param time of the block, Unix seconds */
export function updateFraction(
  { chainId, hardfork, blobFraction }: BlobRules,
  time: number,
): bigint {
  if (blobFraction !== undefined) return blobFraction;
  if (!isSince(hardfork, 'prague')) return CANCUN_FRACTION;
  const forks = isSince(hardfork, 'osaka') ? (BLOB_FORKS.get(chainId) ?? []) : [];
  return forks.findLast(([from]) => time >= from)?.[1] ?? PRAGUE_FRACTION;
}

/** The price of blob gas in a block, in wei (EIP-4844); undefined if its header contains no excess blob gas. */
export function blobPriceAt(
  rules: BlobRules,
  { excessBlobGas, timestamp }: Pick<RpcBlockHeader, 'excessBlobGas' | 'timestamp'>,
): bigint | undefined {
  if (excessBlobGas === undefined) return undefined;
  const { fraction, lowest } = OWN.get(rules.chainId) ?? {
    fraction: updateFraction(rules, Number(timestamp)),
    lowest: 1n,
  };
  return fakeExponential(lowest, BigInt(excessBlobGas), fraction);
}

/** Adds the blob gas and its price to a receipt, since some nodes omit them. Other receipts stay unchanged. */
export function withBlobPrice(
  receipt: RpcReceipt,
  { blobVersionedHashes = [] }: Pick<RpcTransaction, 'blobVersionedHashes'>,
  block: RpcBlockHeader,
  rules: BlobRules,
): RpcReceipt {
  // Some nodes return null.
  const { blobGasPrice, blobGasUsed } = receipt as { [Name in keyof RpcReceipt]?: unknown };
  if (blobVersionedHashes.length === 0 || (blobGasPrice && blobGasUsed)) return receipt;
  const price = blobPriceAt(rules, block);
  if (price === undefined) return receipt;
  return {
    ...receipt,
    blobGasUsed: toQuantity(GAS_PER_BLOB * BigInt(blobVersionedHashes.length)),
    blobGasPrice: receipt.blobGasPrice ?? toQuantity(price),
  };
}

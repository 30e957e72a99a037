import { fakeExponential } from './fake-exponential';
import { isSince, type ExecutedHardfork } from '../forms/hardfork-order';
import { toQuantity } from '../forms/quantity';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../forms/types';

/** Gas of one blob (EIP-4844). */
export const GAS_PER_BLOB = 131_072n;

/** Blobs of a block, and how its excess blob gas sets the price (EIP-7840). */
export interface BlobSchedule {
  /** Blobs above which the price rises. */
  readonly target: bigint;
  readonly max: bigint;
  /** BLOB_BASE_FEE_UPDATE_FRACTION. */
  readonly fraction: bigint;
}

/** EIP-4844, EIP-7691, and the blob parameter forks (EIP-7892) of EIP-8134 and EIP-8135. */
const CANCUN: BlobSchedule = { target: 3n, max: 6n, fraction: 3_338_477n };
const PRAGUE: BlobSchedule = { target: 6n, max: 9n, fraction: 5_007_716n };
const BPO1: BlobSchedule = { target: 10n, max: 15n, fraction: 8_346_193n };
const BPO2: BlobSchedule = { target: 14n, max: 21n, fraction: 11_684_671n };

/** Start times of the blob parameter forks, Unix seconds (go-ethereum's configurations). */
const BLOB_FORKS: ReadonlyMap<number, readonly [time: number, schedule: BlobSchedule][]> = new Map([
  [1, forksAt(1_765_290_071, 1_767_747_671)],
  [11_155_111, forksAt(1_761_017_184, 1_761_607_008)],
  [17_000, forksAt(1_759_800_000, 1_760_389_824)],
  [560_048, forksAt(1_762_365_720, 1_762_955_544)],
]);

function forksAt(bpo1: number, bpo2: number): [number, BlobSchedule][] {
  return [
    [bpo1, BPO1],
    [bpo2, BPO2],
  ];
}

/** Chains with a fixed schedule of their own, and their lowest price in wei. */
const OWN: ReadonlyMap<number, { schedule: BlobSchedule; lowest: bigint }> = new Map([
  [100, { schedule: { target: 1n, max: 2n, fraction: 1_112_826n }, lowest: 10n ** 9n }],
  [56, { schedule: CANCUN, lowest: 1n }],
]);

/** Chain and hardfork of a block. */
export interface BlobRules {
  readonly chainId: number;
  readonly hardfork: ExecutedHardfork;
  /** The update fraction by the node's schedule (EIP-7910), which overrides the table. */
  readonly blobFraction?: bigint;
}

/** Whether a chain's price of blob gas follows Ethereum's rules. */
export const hasEthereumBlobs = (chainId: number): boolean => !OWN.has(chainId);

/** The schedule of a block. @param time of the block, Unix seconds */
export function blobSchedule(rules: BlobRules, time: number): BlobSchedule {
  const schedule = tabledSchedule(rules, time);
  const { blobFraction: fraction } = rules;
  return fraction === undefined ? schedule : { ...schedule, fraction };
}

function tabledSchedule({ chainId, hardfork }: BlobRules, time: number): BlobSchedule {
  const own = OWN.get(chainId);
  if (own) return own.schedule;
  if (!isSince(hardfork, 'prague')) return CANCUN;
  const forks = isSince(hardfork, 'osaka') ? (BLOB_FORKS.get(chainId) ?? []) : [];
  return forks.findLast(([from]) => time >= from)?.[1] ?? PRAGUE;
}

type BlobHeader = Pick<
  RpcBlockHeader,
  'excessBlobGas' | 'blobGasUsed' | 'baseFeePerGas' | 'timestamp'
>;

/** The price of blob gas in a block, in wei (EIP-4844); undefined if its header contains no excess blob gas. */
export function blobPriceAt(
  rules: BlobRules,
  { excessBlobGas, timestamp }: Pick<BlobHeader, 'excessBlobGas' | 'timestamp'>,
): bigint | undefined {
  if (excessBlobGas === undefined) return undefined;
  return priceOf(rules, BigInt(excessBlobGas), Number(timestamp));
}

function priceOf(rules: BlobRules, excess: bigint, time: number): bigint {
  const lowest = OWN.get(rules.chainId)?.lowest ?? 1n;
  return fakeExponential(lowest, excess, blobSchedule(rules, time).fraction);
}

/** EIP-7918. */
const BLOB_BASE_COST = 8_192n;

/**
 * Excess blob gas of the block after `parent`: EIP-4844, and since Osaka with the reserve price of EIP-7918.
 * @param time of that block, Unix seconds
 * @returns undefined if the parent's header contains no excess blob gas
 */
export function nextExcessBlobGas(
  rules: BlobRules,
  parent: BlobHeader,
  time: number,
): bigint | undefined {
  if (parent.excessBlobGas === undefined) return undefined;
  const { target, max } = blobSchedule(rules, time);
  const excess = BigInt(parent.excessBlobGas);
  const used = BigInt(parent.blobGasUsed ?? '0x0');
  const all = excess + used;
  if (all < target * GAS_PER_BLOB) return 0n;
  const reserve = BLOB_BASE_COST * BigInt(parent.baseFeePerGas ?? '0x0');
  const isReserved =
    isSince(rules.hardfork, 'osaka') && reserve > GAS_PER_BLOB * priceOf(rules, excess, time);
  return isReserved ? excess + (used * (max - target)) / max : all - target * GAS_PER_BLOB;
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

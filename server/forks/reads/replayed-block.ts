import type { Hash } from '../../api/primitives';
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../../evm/forms/types';

/**
 * The first block of a fork inside a block: it has the original transactions and receipts, and is the block that the engine mined from
 * them. Its hash is therefore the engine's, and its PREVRANDAO the chain's.
 */
export interface ReplayedBlock {
  number: number;
  hash: Hash;
  mixHash: Hash | undefined;
  /** EIP-4788. */
  parentBeaconBlockRoot: Hash | undefined;
  transactions: readonly RpcTransaction[];
  receipts: readonly RpcReceipt[];
}

/** @param original contains only the replayed transactions; @param hash hash of the block that the engine mined */
export function replayedBlock(
  { number, mixHash, parentBeaconBlockRoot, timestamp, transactions }: RpcBlock,
  receipts: readonly RpcReceipt[],
  hash: Hash,
): ReplayedBlock {
  const here = <T extends object>(one: T): T & { blockHash: Hash } => ({ ...one, blockHash: hash });
  const timed = <T extends object>(one: T): T => ({ blockTimestamp: timestamp, ...here(one) });
  return {
    number: Number(number),
    hash,
    mixHash,
    parentBeaconBlockRoot,
    transactions: transactions.map(timed),
    receipts: receipts.map((receipt) => ({ ...here(receipt), logs: receipt.logs.map(here) })),
  };
}

/** The replayed transaction with the given hash. */
export const transactionIn = (block: ReplayedBlock, hash: unknown): RpcTransaction | undefined =>
  block.transactions.find((one) => one.hash === hash);

/** Selects logs as `eth_getLogs` does: by address and topics. */
export function logsIn({ receipts }: ReplayedBlock, filter: object): RpcLog[] {
  const { address, topics } = filter as { address?: unknown; topics?: unknown };
  const isOneOf = (value: string | undefined, wanted: unknown): boolean => {
    if (wanted === undefined || wanted === null) return true;
    const accepted = (Array.isArray(wanted) ? wanted : [wanted]) as unknown[];
    return accepted.some((one) => String(one).toLowerCase() === value?.toLowerCase());
  };
  const positions = Array.isArray(topics) ? (topics as unknown[]) : [];
  return receipts
    .flatMap(({ logs }) => logs)
    .filter(
      (log) =>
        isOneOf(log.address, Array.isArray(address) && address.length === 0 ? null : address) &&
        positions.every((wanted, i) =>
          isOneOf(log.topics[i], Array.isArray(wanted) && wanted.length === 0 ? null : wanted),
        ),
    );
}

interface Trace {
  blockHash: string;
  blockNumber: number;
  transactionPosition?: number | null;
}

/** Filters traces of original blocks: traces of later transactions in the fork's first block are left out. */
export function tracesIn(block: ReplayedBlock | undefined, traces: unknown): unknown[] {
  return (traces as Trace[]).flatMap((trace) => {
    if (trace.blockNumber !== block?.number) return [trace];
    const { transactionPosition } = trace;
    const position = transactionPosition ?? Infinity;
    return position < block.transactions.length ? [{ ...trace, blockHash: block.hash }] : [];
  });
}

import { getCreateAddress } from 'ethers';
import type { Watched } from '../../api/activity';
import type { Address, Hash } from '../../api/primitives';
import { entriesOf } from '../../evm/forms/plain-answers';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';

/** A log of `eth_getLogs`. */
export interface FoundLog {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly blockHash: Hash;
  readonly transactionHash: Hash;
}

export interface LogFilter {
  readonly address?: readonly Address[];
  readonly topics?: readonly (readonly Hash[] | null)[];
}

/** A transaction, and the positions of the watches that it matches. */
export interface MatchingTransaction {
  readonly transaction: RpcTransaction;
  readonly block: RpcBlock;
  readonly position: number;
  readonly watches: readonly number[];
}

/** Positions of the topics of a log. */
const TOPICS = [0, 1, 2, 3];

/** Filters that together find every log of the watches, and others. */
export function filtersOf(watches: readonly Watched[]): LogFilter[] {
  const addresses = watches.flatMap((one) => (one.kind === 'address' ? [one.address] : []));
  const events = watches.flatMap((one) => (one.kind === 'event' ? [one] : []));
  const anywhere = events.flatMap(({ topic, address }) => (address === undefined ? [topic] : []));
  const somewhere = events.filter(({ address }) => address !== undefined);
  const words = addresses.map(wordOf);
  return [
    ...(addresses.length === 0
      ? []
      : [
          { address: addresses },
          ...TOPICS.map((position) => ({
            topics: [...Array.from({ length: position }, () => null), words],
          })),
        ]),
    ...(anywhere.length === 0 ? [] : [{ topics: [anywhere] }]),
    ...(somewhere.length === 0
      ? []
      : [
          {
            address: somewhere.flatMap(({ address }) => address ?? []),
            topics: [somewhere.map(({ topic }) => topic)],
          },
        ]),
  ];
}

/** The transactions of blocks that match a watch, newest first. @param blocks by number */
export function matchesIn(
  blocks: readonly RpcBlock[],
  logs: readonly FoundLog[],
  watches: readonly Watched[],
): MatchingTransaction[] {
  const logsOf = new Map<string, FoundLog[]>();
  for (const log of logs) {
    const key = `${log.blockHash} ${log.transactionHash}`;
    logsOf.set(key, [...(logsOf.get(key) ?? []), log]);
  }
  return blocks
    .flatMap((block) =>
      entriesOf(block).flatMap((transaction, position) => {
        const emitted = logsOf.get(`${block.hash} ${transaction.hash}`) ?? [];
        const matched = watches.flatMap((watch, index) =>
          isTouched(watch, transaction, emitted) ? [index] : [],
        );
        return matched.length === 0 ? [] : [{ transaction, block, position, watches: matched }];
      }),
    )
    .reverse();
}

function isTouched(
  watch: Watched,
  { from, to, nonce }: RpcTransaction,
  logs: readonly FoundLog[],
): boolean {
  if (watch.kind === 'event') {
    return logs.some(
      ({ topics, address }) =>
        topics[0]?.toLowerCase() === watch.topic &&
        (watch.address === undefined || address.toLowerCase() === watch.address),
    );
  }
  const word = wordOf(watch.address);
  return (
    from.toLowerCase() === watch.address ||
    (to ?? getCreateAddress({ from, nonce })).toLowerCase() === watch.address ||
    logs.some(
      ({ address, topics }) =>
        address.toLowerCase() === watch.address ||
        topics.some((topic) => topic.toLowerCase() === word),
    )
  );
}

const wordOf = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`;

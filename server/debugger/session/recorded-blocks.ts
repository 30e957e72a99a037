import { LRUCache } from 'lru-cache';
import type { NetworkResolver } from '../../analysis/ports';
import { fetchIncludedTransaction } from '../../analysis/transactions/load';
import { ApiError } from '../../api/errors';
import type { Hash } from '../../api/primitives';
import type { RecordedBlock } from '../../api/recording';

/** A recording of a transaction in a block. */
export interface InBlock {
  /** Slug of a chain, or id of a fork. */
  readonly chain: string;
  readonly transaction: Hash;
  readonly block: Hash;
}

export interface BlockPorts extends NetworkResolver {
  /**
   * How often a fork was reverted, without waking it; undefined for a chain, and where another node runs the fork.
   * @throws ApiError `forkNotFound`
   */
  revertsOf(name: string): Promise<number | undefined>;
}

interface Checked {
  readonly found: RecordedBlock;
  /** Of the fork, when it was checked. */
  readonly reverts: number | undefined;
  /** Milliseconds. */
  readonly time: number;
}

/** A chain is asked again after this time, in milliseconds. */
const CHECK_MS = 5_000;
const CHECKS = 1_000;
const CURRENT: RecordedBlock = { isCurrent: true };

/**
 * Whether transactions are still in the blocks that were recorded. A chain is asked at most every 5 s, a fork only after it was reverted: no
 * check wakes a fork that did not change.
 */
export class RecordedBlocks {
  readonly #checked = new LRUCache<string, Checked>({ max: CHECKS });

  constructor(
    private readonly ports: BlockPorts,
    private readonly clock: { now: () => number } = performance,
  ) {}

  /** @throws ApiError `forkNotFound`, `chainNotFound`, or an error of the node */
  async check(recorded: InBlock, signal?: AbortSignal): Promise<RecordedBlock> {
    const { chain, transaction, block } = recorded;
    const key = `${chain} ${transaction} ${block}`;
    const reverts = await this.ports.revertsOf(chain);
    const known = this.#checked.get(key);
    const isFresh =
      reverts === undefined
        ? known !== undefined && this.clock.now() - known.time < CHECK_MS
        : known?.reverts === reverts;
    if (known && isFresh) return known.found;
    const found = await this.#ask(recorded, signal);
    this.#checked.set(key, { found, reverts, time: this.clock.now() });
    return found;
  }

  async #ask({ chain, transaction, block }: InBlock, signal?: AbortSignal): Promise<RecordedBlock> {
    const network = await this.ports.resolve(chain, transaction, signal);
    const why = network.replayable
      ? `a reorganisation of ${network.key} replaced block ${block}`
      : `fork ${chain} was reverted, and block ${block} is no longer part of it`;
    const replaced = (now: string): RecordedBlock => ({
      isCurrent: false,
      reason: `${why}: ${now}; the recording is that of the replaced block`,
    });
    try {
      const { blockHash } = await fetchIncludedTransaction(network, transaction, signal);
      if (blockHash === block) return CURRENT;
      return replaced(
        `the transaction is in block ${blockHash} now, debug it again to see its execution there`,
      );
    } catch (error) {
      const kind = error instanceof ApiError ? error.kind : undefined;
      if (kind === 'transactionPending')
        return replaced(
          'the transaction waits for another block, debug it again once it is in one',
        );
      if (kind !== 'transactionNotFound') throw error;
      return replaced(
        network.replayable
          ? 'the transaction is in no block now, simulate it to debug it on the present state'
          : 'send the transaction again, or simulate it, to debug it on the present state',
      );
    }
  }
}

import { ApiError } from '../../api/errors';
import {
  RpcError,
  settledOneByOne,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';
import { meaningOf, type ErrorMeaning } from '../../evm/forms/endpoint-errors';
import { toQuantity } from '../../evm/forms/quantity';

/** A block of a chain. */
export interface PinnedBlock {
  number: number;
  hash: string;
}

/** A client that keeps answers, and can check at once whether its chain is still the same, for example after a private chain has restarted. */
export interface ChainClient extends RpcClient {
  /**
   * @param call names its block by the hash
   * @returns undefined where no answer is kept. Never rejects
   */
  keptAnswer?(call: RpcCall): Promise<unknown>;
  /** Keeps the answer to a call that names its block by the hash: the hash covers it, whichever chain the block ends up on. */
  keepAnswer?(call: RpcCall, answer: unknown): void;
  /**
   * @param maxAgeMs an earlier check that is not older is enough
   * @returns whether kept answers were of another chain, and have been removed. Never rejects
   */
  recheck?(maxAgeMs: number): Promise<boolean>;
}

/** EIP-1898: methods whose block parameter may be a hash, with its index. */
const BY_HASH: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_call: 1,
  eth_getBlockReceipts: 0,
};
const BLOCK_BY_HASH = 'eth_getBlockByHash';
/** Methods whose answers do not depend on which blocks are in the chain. */
const INDEPENDENT: ReadonlySet<string> = new Set([
  'eth_chainId',
  'eth_blockNumber',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_blobBaseFee',
  BLOCK_BY_HASH,
  'net_version',
  'web3_clientVersion',
]);
/** Meanings of an error of a node that accepts no block hash. */
const NO_HASHES: ReadonlySet<ErrorMeaning> = new Set<ErrorMeaning>(['invalid', 'unknown']);
/** How long a node counts as accepting no block hash for a method. */
const NO_HASHES_MS = 10 * 60_000;
const RECHECK_MS = 5_000;

/**
 * A chain that ends with a certain block, so that state of two chains is never mixed after a reorganization. State at the block is read by
 * its hash, and what was read of it stays, also while the fork sleeps and when the block has left the chain. Other answers are returned only
 * if the block is still part of the chain after them.
 */
export class PinnedChain implements RpcClient {
  readonly #byNumber: ReadonlyMap<unknown, string>;
  readonly #newest: PinnedBlock;
  /** By method. */
  readonly #noHashesUntil = new Map<string, number>();
  /** The check that has not begun. */
  #next: Promise<void> | undefined;

  /**
   * @param blocks the block, and others below it whose hashes are known
   * @param onReplaced receives that the block is no longer part of the chain
   */
  constructor(
    private readonly upstream: ChainClient,
    private readonly chain: string,
    blocks: readonly [PinnedBlock, ...PinnedBlock[]],
    private readonly onReplaced: (message: string) => void,
    private readonly now: () => number = Date.now,
  ) {
    this.#byNumber = new Map(blocks.map(({ number, hash }) => [toQuantity(number), hash]));
    this.#newest = blocks[0];
  }

  async request(
    method: string,
    params: readonly unknown[],
    options?: RpcCallOptions,
  ): Promise<unknown> {
    const pinned = this.#pinned({ method, params });
    if (pinned) {
      const takesHashes = (this.#noHashesUntil.get(pinned.method) ?? 0) <= this.now();
      // The client itself keeps state that it reads by hash.
      const isKeptHere = !takesHashes || pinned.method === BLOCK_BY_HASH;
      const kept = isKeptHere ? await this.upstream.keptAnswer?.(pinned) : undefined;
      if (kept !== undefined) return kept;
      const answer = takesHashes ? await this.#ask(pinned, options) : undefined;
      if (answer !== undefined) {
        if (isKeptHere && answer !== null) this.upstream.keepAnswer?.(pinned, answer);
        return answer;
      }
    }
    const answer = await this.upstream.request(method, params, options);
    if (!INDEPENDENT.has(method)) await this.#requireBlock();
    if (pinned && answer !== null) this.upstream.keepAnswer?.(pinned, answer);
    return answer;
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls, options);
  }

  /** Reports a block that has left the chain to `onReplaced`. Never rejects. */
  async check(): Promise<void> {
    await this.#requireBlock().catch(() => undefined);
  }

  /** The call with the hash of its block; undefined if it names none of the known blocks. */
  #pinned({ method, params }: RpcCall): RpcCall | undefined {
    if (method === 'eth_getBlockByNumber') {
      const hash = this.#byNumber.get(params[0]);
      return hash === undefined
        ? undefined
        : { method: BLOCK_BY_HASH, params: [hash, ...params.slice(1)] };
    }
    const at = Object.hasOwn(BY_HASH, method) ? BY_HASH[method] : undefined;
    const hash = at === undefined ? undefined : this.#byNumber.get(params[at]);
    if (at === undefined || hash === undefined) return undefined;
    return { method, params: params.with(at, { blockHash: hash }) };
  }

  /** @returns undefined if the node accepts no block hash */
  async #ask({ method, params }: RpcCall, options?: RpcCallOptions): Promise<unknown> {
    try {
      const answer = await this.upstream.request(method, params, options);
      if (answer !== null) return answer;
    } catch (error) {
      const meaning = error instanceof RpcError ? meaningOf(error, method) : undefined;
      if (meaning !== undefined && NO_HASHES.has(meaning)) {
        this.#noHashesUntil.set(method, this.now() + NO_HASHES_MS);
        return undefined;
      }
      if (meaning === 'executed' || isOutage(error)) throw error;
      await this.#requireBlock();
      throw error;
    }
    await this.#requireBlock();
    return method === BLOCK_BY_HASH ? undefined : null;
  }

  /** Calls at the same time share one check, which begins after all of them. @throws ApiError upstreamLacksData */
  #requireBlock(): Promise<void> {
    return (this.#next ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#next = undefined;
        this.#compare().then(resolve, reject);
      });
    }));
  }

  async #compare(): Promise<void> {
    await this.upstream.recheck?.(RECHECK_MS);
    const { number, hash } = this.#newest;
    const header = (await this.upstream.request('eth_getBlockByNumber', [
      toQuantity(number),
      false,
    ])) as { hash?: string } | null;
    if (header?.hash?.toLowerCase() === hash.toLowerCase()) return;
    const found = header?.hash === undefined ? 'has no such block' : `has ${header.hash} there`;
    const message = `block ${number} of ${this.chain}, on which the fork is based, is no longer part of the chain: it was ${hash}, and the chain ${found}. The fork keeps what it has read; create another fork for the present chain`;
    this.onReplaced(message);
    throw new ApiError('upstreamLacksData', message);
  }
}

const isOutage = (error: unknown): boolean =>
  error instanceof ApiError && error.kind !== 'upstreamLacksData';

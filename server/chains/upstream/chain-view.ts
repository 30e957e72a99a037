import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { callText } from './response-location';
import { withEngineFields } from './complete-header';
import { BLOCK_LOOKUP, BLOCK_PARAMETER } from './block-lookups';
import { RPC_CODES } from '../../api/rpc-codes';

/** A chain as of block `blockNumber`; without a number, as it is now. */
export interface ChainViewPoint {
  chainId: number;
  blockNumber?: number;
  upstream: RpcClient;
}

type Params = readonly unknown[];

/** Lookups by hash: the answer contains its block. */
const BY_TRANSACTION_HASH = new Set(['eth_getTransactionByHash', 'eth_getTransactionReceipt']);
/** Lookups by a hash whose answer does not always contain the block. */
const BY_BLOCK_HASH = new Set([
  'eth_getBlockTransactionCountByHash',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getRawTransactionByBlockHashAndIndex',
  'eth_getUncleByBlockHashAndIndex',
  'eth_getUncleCountByBlockHash',
]);
const BY_HASH_INDIRECT = new Set(['eth_getRawTransactionByHash', 'trace_transaction']);
const ACCOUNT_PARTS = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'];
/** Reads of the state that executions make, with the index of the block parameter. */
const STATE_READS: Readonly<Record<string, number>> = {
  eth_getAccountInfo: 1,
  eth_getBalance: 1,
  eth_getTransactionCount: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
};
const BLOCKS = new Set(['eth_getBlockByNumber', 'eth_getBlockByHash']);
const AS_IS = new Set(['eth_maxPriorityFeePerGas', 'eth_blobBaseFee']);
const ONE_GWEI = 1_000_000_000n;

/** Read-only JSON-RPC over a chain that ends at the fork point. Blocks above it are hidden. */
export class ChainView {
  /** Answers that were requested in advance, by call. Each is used once. */
  readonly #ahead = new Map<string, Promise<unknown>>();

  constructor(private readonly point: ChainViewPoint) {}

  /**
   * Requests accounts at the newest block in advance, because an engine will read them one after the other. Failed requests are repeated
   * when the engine reads the account.
   */
  preload(addresses: Iterable<string>): void {
    for (const address of new Set(addresses)) {
      for (const method of ACCOUNT_PARTS) void this.#prefetch(method, [address, this.#newest()]);
    }
  }

  /**
   * Requests the newest block in advance, in the form in which an engine reads it at its start, and the account of its fee recipient.
   * @param forRevert also in the form in which an engine reads it when it reverts to the block
   */
  preloadBlock({ forRevert }: { forRevert: boolean }): void {
    this.#prefetch('eth_getBlockByNumber', [this.#newest(), false]).then(
      (answer) => {
        const { miner, hash } = (answer ?? {}) as { miner?: unknown; hash?: unknown };
        if (typeof miner === 'string') this.preload([miner]);
        if (forRevert && typeof hash === 'string') {
          // The client keeps the answer, as of all blocks by hash.
          this.point.upstream.request('eth_getBlockByHash', [hash, true]).catch(() => undefined);
        }
      },
      () => undefined, // the engine asks again and reports the failure
    );
  }

  #prefetch(method: string, params: Params): Promise<unknown> {
    const text = callText({ method, params });
    const answer = this.point.upstream.request(method, params);
    answer.catch(() => this.#ahead.delete(text));
    this.#ahead.set(text, answer);
    return answer;
  }

  /** @throws RpcError, and the errors of the upstream client */
  async answer(call: RpcCall): Promise<unknown> {
    const answer = await this.#answer(call);
    return BLOCKS.has(call.method) ? withEngineFields(answer) : answer;
  }

  async #answer({ method, params }: RpcCall): Promise<unknown> {
    const { chainId, blockNumber, upstream } = this.point;
    switch (method) {
      // The configured chain id is the only one that this address can have.
      case 'eth_chainId':
        return toQuantity(chainId);
      case 'net_version':
        return String(chainId);
      case 'eth_blockNumber':
        return blockNumber === undefined ? upstream.request(method, []) : toQuantity(blockNumber);
      case 'eth_getLogs':
        return this.#logs(params);
      case 'eth_getAccountInfo':
        return this.#accountInfo(params);
      case 'eth_gasPrice':
        return this.#gasPrice();
    }
    if (AS_IS.has(method)) return upstream.request(method, params);
    if (Object.hasOwn(BLOCK_PARAMETER, method)) return this.#atBlock(method, params);
    if (Object.hasOwn(BLOCK_LOOKUP, method)) {
      const at = BLOCK_LOOKUP[method] ?? 0;
      const block = await this.#visible(params[at]);
      if (block === undefined) return null;
      const full = [...params.slice(0, at), block, ...params.slice(at + 1)];
      return this.#takePrefetched(method, full) ?? upstream.request(method, full);
    }
    if (BY_TRANSACTION_HASH.has(method)) {
      return this.#unlessLater(await upstream.request(method, params));
    }
    if (method === 'eth_getBlockByHash') {
      const block = (await upstream.request(method, params)) as { number?: string } | null;
      return this.#isLater(block?.number ?? '0x0') ? null : block;
    }
    if (BY_BLOCK_HASH.has(method)) {
      return (await this.#isHidden(params[0])) ? null : upstream.request(method, params);
    }
    if (BY_HASH_INDIRECT.has(method)) {
      const transaction = await upstream.request('eth_getTransactionByHash', [params[0]]);
      return this.#unlessLater(transaction) === null ? null : upstream.request(method, params);
    }
    throw new RpcError(RPC_CODES.methodNotFound, `the method ${method} is not available`);
  }

  /** Whether an execution on the newest block makes this call. Others are passed on for the users of an engine. */
  isExecutionRead({ method, params }: RpcCall): boolean {
    // BLOCKHASH
    if (method === 'eth_getBlockByNumber') return true;
    const position = Object.hasOwn(STATE_READS, method) ? STATE_READS[method] : undefined;
    if (position === undefined) return false;
    return this.point.blockNumber === undefined || params[position] === this.#newest();
  }

  async #atBlock(method: string, params: Params): Promise<unknown> {
    const at = BLOCK_PARAMETER[method] ?? 0;
    const block = await this.#visible(params[at] ?? 'latest');
    if (block === undefined) throw new RpcError(RPC_CODES.notFound, 'block not found');
    const full = [...params];
    full[at] = block;
    return this.#takePrefetched(method, full) ?? this.point.upstream.request(method, full);
  }

  #takePrefetched(method: string, params: Params): Promise<unknown> | undefined {
    if (this.#ahead.size === 0) return undefined;
    const text = callText({ method, params });
    const answer = this.#ahead.get(text);
    this.#ahead.delete(text);
    return answer;
  }

  /** Engines try this method first, but few nodes offer it. Its parts are cached separately, so other callers share them. */
  async #accountInfo(params: Params): Promise<unknown> {
    const [balance, nonce, code] = await Promise.all(
      ACCOUNT_PARTS.map((method) => this.#atBlock(method, params)),
    );
    return { balance, nonce, code };
  }

  /** The price at the fork point. The node's current price is unrelated to an old block, and its newest block is above the fork point. */
  async #gasPrice(): Promise<unknown> {
    const { upstream } = this.point;
    const params = [this.#newest(), false];
    const header = await upstream.request('eth_getBlockByNumber', params);
    const baseFee = (header as { baseFeePerGas?: string } | null)?.baseFeePerGas;
    if (baseFee === undefined) return upstream.request('eth_gasPrice', []);
    return toQuantity(BigInt(baseFee) + ONE_GWEI);
  }

  async #logs([filter]: Params): Promise<unknown> {
    const { upstream } = this.point;
    const range = (filter ?? {}) as Record<string, unknown>;
    if (typeof range['blockHash'] === 'string') {
      return (await this.#isHidden(range['blockHash']))
        ? []
        : upstream.request('eth_getLogs', [range]);
    }
    const fromBlock = await this.#visible(range['fromBlock'] ?? 'latest');
    if (fromBlock === undefined) return [];
    const toBlock = (await this.#visible(range['toBlock'] ?? 'latest')) ?? this.#newest();
    return upstream.request('eth_getLogs', [{ ...range, fromBlock, toBlock }]);
  }

  /** The block parameter for upstream, with the fork point's number for every tag of a moving head; undefined: above the fork point. */
  async #visible(block: unknown): Promise<unknown> {
    if (typeof block === 'object' && block !== null) {
      const { blockNumber, blockHash } = block as Record<string, unknown>;
      if (blockHash !== undefined) return (await this.#isHidden(blockHash)) ? undefined : block;
      return this.#visible(blockNumber);
    }
    if (block === 'earliest') return block;
    if (typeof block !== 'string' || !block.startsWith('0x')) return this.#newest();
    if (block.length === 66) return (await this.#isHidden(block)) ? undefined : block;
    return this.#isLater(block) ? undefined : block;
  }

  #newest(): string {
    const { blockNumber } = this.point;
    return blockNumber === undefined ? 'latest' : toQuantity(blockNumber);
  }

  #isLater(number: string): boolean {
    const { blockNumber } = this.point;
    return blockNumber !== undefined && BigInt(number) > BigInt(blockNumber);
  }

  async #isHidden(blockHash: unknown): Promise<boolean> {
    if (this.point.blockNumber === undefined) return false;
    const header = await this.point.upstream.request('eth_getBlockByHash', [blockHash, false]);
    const number = (header as { number?: string } | null)?.number;
    return number === undefined || this.#isLater(number);
  }

  /** Hides pending transactions and those above the fork point. */
  #unlessLater(found: unknown): unknown {
    const number = (found as { blockNumber?: string | null } | null)?.blockNumber;
    if (typeof number !== 'string') return null;
    return this.#isLater(number) ? null : found;
  }
}

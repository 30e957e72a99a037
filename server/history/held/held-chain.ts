import { ApiError } from '../../api/errors';
import type { Address, Hex } from '../../api/primitives';
import { RPC_CODES } from '../../api/rpc-codes';
import {
  RpcError,
  settledOneByOne,
  type RpcCall,
  type RpcCallOptions,
  type RpcClient,
} from '../../evm/forms/json-rpc';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcLog, RpcReceipt } from '../../evm/forms/types';
import { neverAborted } from '../../kernel/async/never-aborted';
import type { HeldBlock, HeldPlace } from './held-block';

/** Names of the newest block. */
const NEWEST: ReadonlySet<unknown> = new Set(['latest', 'pending', 'safe', 'finalized']);
/** Where the block is among the parameters of reads of the state. */
const STATE_READS: ReadonlyMap<string, number> = new Map([
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getTransactionCount', 1],
  ['eth_getStorageAt', 2],
  ['eth_call', 1],
]);

interface HeldChainParts {
  /** What is held, as a node. */
  readonly held: RpcClient;
  readonly block: HeldBlock;
  readonly place: HeldPlace;
  /** Whether the state after the transactions is answered, by executing them. */
  readonly hasEnd: boolean;
}

/**
 * A chain that ends with a held transaction, as a node: it answers state right before the block of the transaction, and after the
 * transaction, by executing it.
 */
export class HeldChain implements RpcClient {
  constructor(private readonly parts: HeldChainParts) {}

  /** @throws ApiError `upstreamLacksData` that names what is not held; RpcError */
  async request(
    method: string,
    params: readonly unknown[],
    options: RpcCallOptions = {},
  ): Promise<unknown> {
    const { held, place, block } = this.parts;
    const { signal = neverAborted() } = options;
    const newest = toQuantity(place.number);
    const index = STATE_READS.get(method);
    if (index !== undefined) {
      const tag = NEWEST.has(params[index]) ? newest : params[index];
      return this.#state({ method, params: params.with(index, tag) }, Number(tag), options);
    }
    switch (method) {
      case 'eth_blockNumber':
        return newest;
      case 'eth_getBlockByNumber':
        if (!NEWEST.has(params[0]) && Number(params[0]) !== place.number) break;
        if (params[1] !== true) return held.request(method, [newest, params[1]], options);
        return block.block(signal);
      case 'eth_getBlockReceipts':
        // Single receipts are asked for then: those of later transactions are not held.
        return held.request(method, params, options).catch(asMissingMethod);
      case 'eth_getLogs':
        return this.#logs(params[0], signal);
      case 'ots_searchTransactionsBefore':
        return this.#touching(params[0] as Address);
    }
    return held.request(method, params, options);
  }

  requestAll(
    calls: readonly RpcCall[],
    options?: RpcCallOptions,
  ): Promise<PromiseSettledResult<unknown>[]> {
    return settledOneByOne(this, calls, options);
  }

  async #state(
    { method, params }: RpcCall,
    number: number,
    options: RpcCallOptions,
  ): Promise<unknown> {
    const { held, block, place, hasEnd } = this.parts;
    const { signal = neverAborted() } = options;
    const isEnd = number === place.number;
    if (isEnd && !hasEnd) {
      throw new ApiError(
        'upstreamLacksData',
        `${place.chain} ends with transaction ${place.position} of block ${number}: the state after the block is not known`,
      );
    }
    if (method === 'eth_call') {
      const { to, data } = params[0] as { to: Address; data: Hex };
      if (!isEnd && number !== place.number - 1) return held.request(method, params, options);
      const answer = await block.call({ to, data }, isEnd, signal);
      if (answer === undefined) throw new RpcError(3, 'execution reverted');
      return answer;
    }
    if (isEnd) {
      const changed = (await block.executed()).accounts.valueOf(readOf(method, params));
      if (changed !== undefined) return changed;
      const before = toQuantity(number - 1);
      return held.request(method, [...params.slice(0, -1), before], options);
    }
    return held.request(method, params, options);
  }

  /** Of the transactions of the block. */
  async #logs(filter: unknown, signal: AbortSignal): Promise<RpcLog[]> {
    const { held, block, place } = this.parts;
    const { address, fromBlock, toBlock } = filter as Record<string, string | undefined>;
    if (Number(fromBlock) > place.number || Number(toBlock) < place.number) return [];
    const { transactions } = await block.block(signal);
    const calls = transactions.map(({ hash }) => ({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    }));
    const receipts = await settledOneByOne(held, calls, { signal });
    return receipts.flatMap((one) => {
      if (one.status === 'rejected' || one.value === null) return [];
      const { logs } = one.value as RpcReceipt;
      return logs.filter((log) => address === undefined || log.address === address);
    });
  }

  /** As an index of transactions answers: all of the block that touch an account. */
  async #touching(address: Address): Promise<object> {
    const { touched } = await this.parts.block.executed();
    const found = touched.filter(({ accounts }) => accounts.has(address.toLowerCase()));
    return { txs: found.map(({ transaction }) => transaction).toReversed(), lastPage: true };
  }
}

function asMissingMethod(error: unknown): never {
  if (!(error instanceof ApiError) || error.kind !== 'upstreamLacksData') throw error;
  throw new RpcError(RPC_CODES.methodNotFound, error.message);
}

function readOf(method: string, [address, slot]: readonly unknown[]) {
  const account = String(address).toLowerCase() as Address;
  switch (method) {
    case 'eth_getStorageAt':
      return { kind: 'slot', address: account, slot: toWord(BigInt(slot as Hex)) } as const;
    case 'eth_getBalance':
      return { kind: 'balance', address: account } as const;
    case 'eth_getCode':
      return { kind: 'code', address: account } as const;
    default:
      return { kind: 'nonce', address: account } as const;
  }
}

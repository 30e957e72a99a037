import { ApiError } from '../../api/errors';
import type { Hex } from '../../api/primitives';
import { RpcError, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import { meaningOf } from '../../evm/forms/endpoint-errors';
import { toQuantity } from '../../evm/forms/quantity';
import type { StateAnswer, StateRead, StateReader } from '../../debugger/languages/port/state-read';

/** Counts what is asked of a node. */
export interface ReadCount {
  reads: number;
}

/** The state after a block, as the chain's node reports it. */
export class NodeReader implements StateReader {
  constructor(
    private readonly rpc: RpcClient,
    private readonly block: number,
    private readonly count: ReadCount,
  ) {}

  /** @throws ApiError `upstreamLacksData`, `upstreamUnreachable` */
  async read(reads: readonly StateRead[], signal: AbortSignal): Promise<readonly StateAnswer[]> {
    const tag = toQuantity(this.block);
    const calls = reads.map((read) => callOf(read, tag));
    this.count.reads += calls.length;
    const outcomes = await this.rpc.requestAll(calls, { signal });
    return outcomes.map((outcome, index) => {
      if (outcome.status === 'fulfilled') return outcome.value as Hex;
      requireOwnFailure(outcome.reason, calls[index]?.method ?? '', this.block);
      return undefined;
    });
  }
}

/** @throws the error, unless it is the contract's own */
function requireOwnFailure(error: unknown, method: string, block: number): void {
  if (!(error instanceof RpcError)) throw error;
  if (method === 'eth_call' && meaningOf(error, method) === 'executed') return;
  throw new ApiError(
    'upstreamLacksData',
    `the node does not return the state of block ${block} (${method}): ${error.message}`,
    { cause: error },
  );
}

function callOf(read: StateRead, tag: Hex): RpcCall {
  const { address } = read;
  switch (read.kind) {
    case 'call':
      return { method: 'eth_call', params: [{ to: address, data: read.data }, tag] };
    case 'slot':
      return { method: 'eth_getStorageAt', params: [address, read.slot, tag] };
    case 'balance':
      return { method: 'eth_getBalance', params: [address, tag] };
    case 'code':
      return { method: 'eth_getCode', params: [address, tag] };
    case 'nonce':
      return { method: 'eth_getTransactionCount', params: [address, tag] };
  }
}

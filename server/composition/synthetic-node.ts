import type { Hash, Hex } from '../api/primitives';
import { parseJsonWork } from '../async/parse-json';
import { inSlices } from '../async/slices';
import type { RpcCall, RpcClient } from '../ethereum/json-rpc';
import { toWord } from '../ethereum/quantity';
import { logsIn, type TracedCall } from './synthetic-calls';

const BLOCK_HASH = toWord(0xb10c);
const GAS: Hex = '0x5208';

/**
 * A node with one block, whose transactions have the given trace. It writes and parses the text of each answer, with fields in the order of
 * real nodes: V8 discards code that it has optimized for objects of another origin.
 */
export class SyntheticNode implements RpcClient {
  constructor(private readonly trace: TracedCall) {}

  request(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = this.#answer(method, params[0] as Hash, params[1]);
    return inSlices(parseJsonWork(Buffer.from(JSON.stringify(answer))));
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return Promise.allSettled(calls.map(({ method, params }) => this.request(method, params)));
  }

  #answer(method: string, hash: Hash, options: unknown): unknown {
    switch (method) {
      case 'eth_getTransactionByHash':
        return transactionOf(hash, this.trace);
      case 'eth_getTransactionReceipt':
        return receiptOf(hash, this.trace);
      case 'eth_getBlockByHash':
        return BLOCK;
      case 'debug_traceTransaction':
        return (options as { tracer: string }).tracer === 'callTracer' ? this.trace : null;
      case 'eth_getCode':
        return CODE;
      default:
        return toWord(18);
    }
  }
}

/** Runs nothing that is known. Not short, because V8 treats short strings differently. */
const CODE = `0x6080604052${'5b'.repeat(200)}`;

const BLOCK = {
  ...{ hash: BLOCK_HASH, parentHash: toWord(0), miner: `0x${'c0'.repeat(20)}`, number: '0x1' },
  ...{ gasLimit: '0x1c9c380', gasUsed: GAS, timestamp: '0x65000000', baseFeePerGas: '0x0' },
};

const transactionOf = (hash: Hash, { from, to, input }: TracedCall): object => ({
  ...{ type: '0x2', chainId: '0x7a69', nonce: '0x0', gas: GAS, maxFeePerGas: '0x1' },
  ...{ maxPriorityFeePerGas: '0x0', to, value: '0x0', accessList: [], input, r: '0x1', s: '0x1' },
  ...{ yParity: '0x0', v: '0x0', hash, blockHash: BLOCK_HASH, blockNumber: '0x1' },
  ...{ transactionIndex: '0x0', from, gasPrice: '0x1' },
});

const receiptOf = (transactionHash: Hash, trace: TracedCall): object => ({
  ...{ type: '0x2', status: '0x1', cumulativeGasUsed: GAS, logs: logsIn(trace) },
  ...{ logsBloom: `0x${'00'.repeat(256)}`, transactionHash, transactionIndex: '0x0' },
  ...{ blockHash: BLOCK_HASH, blockNumber: '0x1', gasUsed: GAS, effectiveGasPrice: '0x1' },
  ...{ blobGasPrice: '0x1', from: trace.from, to: trace.to, contractAddress: null },
});

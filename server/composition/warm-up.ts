import { AnalysisService } from '../analysis/views/analysis-service';
import { ExecutionLocator } from '../analysis/views/execution-locator';
import type { AbiSource, MinedTransaction, Network, TokenFactsSource } from '../analysis/ports';
import { ApiError } from '../api/errors';
import type { Address, Hash, Hex } from '../api/primitives';
import type { RpcCall, RpcClient } from '../ethereum/json-rpc';
import { pause } from '../async/slices';
import type { RpcLog } from '../ethereum/types';
import { toQuantity, toWord } from '../ethereum/quantity';
import { jsonPieces } from '../async/json-pieces';
import { noPrices } from '../prices/no-prices';
import { DebugApi } from '../execution/tracing/debug-api';

/** More rounds, or more calls, do not make the first analysis faster. */
const ROUNDS = 8;
const CALLS = 2_500;
/** Depth of nested calls; the next call after that is a child of the top frame again. */
const DEPTH = 8;
const TOKENS = 20;
const HOLDERS = 200;

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SENDER = addressOf(0xa11);
const TARGET = addressOf(0xb0b);

interface Frame {
  type: string;
  from: Address;
  to: Address;
  value: Hex;
  gas: Hex;
  gasUsed: Hex;
  input: Hex;
  output: Hex;
  logs: (RpcLog & { position: Hex })[];
  calls: Frame[];
}

/**
 * Analyses synthetic transactions, so that a user's first analysis finds optimized code and loaded ABIs. Pauses regularly, so that other
 * requests are served. Queries no node and no service.
 */
export async function warmUp(
  { abis, tokens }: { abis: AbiSource; tokens: TokenFactsSource },
  signal: AbortSignal,
): Promise<void> {
  const debugApi = new DebugApi();
  const node = new SyntheticNode();
  const executions = new ExecutionLocator({
    networks: { resolve: () => Promise.resolve(networkOf(node)) },
    traces: {
      trace: async (network, mined, ending) => {
        const trace = await debugApi.trace(network, mined, ending);
        if (trace) return trace;
        throw new ApiError('internal', 'the node of the warm-up has no trace');
      },
    },
    abis,
  });
  const analysis = new AnalysisService(executions, {
    tokens,
    prices: noPrices,
    stateDiffs: { diff: () => Promise.reject(new ApiError('internal', 'not warmed up')) },
    spentGas: { spentGas: () => Promise.resolve(undefined) },
    rulesOf: () => undefined,
  });
  for (let round = 1; round <= ROUNDS; round++) {
    const request = { chain: 'warm-up', hash: toWord(round) };
    const flow = await analysis.invocationFlow(request, { signal });
    const balances = await analysis.balanceChange(request, { signal });
    for (const answer of [flow, balances]) {
      Array.from(jsonPieces(answer));
      await pause();
      signal.throwIfAborted();
    }
  }
}

/** Uses the chain id of a development node, for which no service is queried. */
const networkOf = (rpc: RpcClient): Network => ({
  key: 'warm-up',
  chainId: 31_337,
  nativeSymbol: 'ETH',
  hardfork: 'prague',
  rpc,
  replayable: false,
});

/** A node with one block, whose transactions make many token transfers. */
class SyntheticNode implements RpcClient {
  readonly #trace = tokenTransfers();

  request(method: string, params: readonly unknown[]): Promise<unknown> {
    const { transaction, receipt, block } = minedAs(params[0] as Hash, this.#trace);
    switch (method) {
      case 'eth_getTransactionByHash':
        return Promise.resolve(transaction);
      case 'eth_getTransactionReceipt':
        return Promise.resolve(receipt);
      case 'eth_getBlockByHash':
        return Promise.resolve(block);
      case 'debug_traceTransaction':
        return Promise.resolve(this.#trace);
      case 'eth_getCode':
        return Promise.resolve('0x00');
      default:
        return Promise.resolve(toWord(18));
    }
  }

  requestAll(calls: readonly RpcCall[]): Promise<PromiseSettledResult<unknown>[]> {
    return Promise.allSettled(calls.map(({ method, params }) => this.request(method, params)));
  }
}

/** A call tree in the format of `callTracer`. */
function tokenTransfers(): Frame {
  const top = frameOf(SENDER, TARGET, '0x');
  let parent = top;
  for (let index = 0; index < CALLS; index++) {
    if (index % DEPTH === 0) parent = top;
    const call = transferOf(parent.to, index);
    parent.calls.push(call);
    parent = call;
  }
  return top;
}

/** A call of a token's `transfer(address,uint256)`, with its event. */
function transferOf(from: Address, index: number): Frame {
  const token = addressOf(0x70000 + (index % TOKENS));
  const [holder, amount] = [toWord(0x1000 + (index % HOLDERS)), toWord(index + 1)];
  const call = frameOf(from, token, `0xa9059cbb${holder.slice(2)}${amount.slice(2)}`);
  const topics = [TRANSFER, toWord(BigInt(from)), holder] as Hash[];
  return {
    ...call,
    output: toWord(1),
    logs: [{ address: token, topics, data: amount, position: '0x0' }],
  };
}

const frameOf = (from: Address, to: Address, input: Hex): Frame => ({
  ...{ type: 'CALL', from, to, value: '0x0', gas: '0x186a0', gasUsed: '0x5208' },
  ...{ input, output: '0x', logs: [], calls: [] },
});

function minedAs(hash: Hash, trace: Frame): MinedTransaction {
  const blockHash = toWord(0xb10c);
  const place = { blockHash, blockNumber: '0x1', transactionIndex: '0x0' } as const;
  const [sides, gas] = [{ from: trace.from, to: trace.to }, '0x5208'] as const;
  const sent = { nonce: '0x0', value: '0x0', gas, gasPrice: '0x1', input: '0x' } as const;
  return {
    transaction: { hash, ...place, ...sides, ...sent },
    receipt: {
      ...place,
      ...sides,
      ...{ transactionHash: hash, contractAddress: null, status: '0x1', logs: logsIn(trace) },
      ...{ gasUsed: gas, cumulativeGasUsed: gas, effectiveGasPrice: '0x1' },
    },
    block: {
      ...{ number: '0x1', hash: blockHash, parentHash: toWord(0), timestamp: '0x65000000' },
      ...{ miner: addressOf(0xc0), gasLimit: toQuantity(30_000_000), gasUsed: gas },
      baseFeePerGas: '0x0',
    },
  };
}

const logsIn = ({ logs, calls }: Frame): RpcLog[] => [...logs, ...calls.flatMap(logsIn)];

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`;
}

import { asCall } from './as-call';
import type { Hex } from '../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../ethereum/json-rpc';
import type { RpcBlockHeader, RpcLog, RpcReceipt, RpcTransaction } from '../ethereum/types';
import { changesOf, DIFF_TRACER, type StateDiff } from './state-diff';

interface Frame {
  gasUsed: Hex;
  error?: string;
  logs?: (RpcLog & { position?: Hex })[];
  calls?: Frame[];
}

export interface CallOptions {
  /** Fields of the call in the place of the transaction's own. */
  fields?: object;
  /** As of `eth_call`. */
  stateOverrides?: object;
  signal?: AbortSignal | undefined;
}

/** What a call sees of a block, as geth's `blockOverrides` write it. */
export const blockOverrides = (block: RpcBlockHeader): object => ({
  number: block.number,
  time: block.timestamp,
  gasLimit: block.gasLimit,
  coinbase: block.miner,
  ...(block.mixHash === undefined ? {} : { random: block.mixHash }),
  ...(block.baseFeePerGas === undefined ? {} : { baseFee: block.baseFeePerGas }),
});

/**
 * Executes a transaction on the newest state as a call, which unlike a mined one sees the block's own PREVRANDAO. Nothing is changed.
 * @returns the calls that would make its changes, and what its receipt would say
 */
export async function executeAsCall(
  engine: RpcClient,
  block: RpcBlockHeader,
  transaction: RpcTransaction,
  { fields, stateOverrides, signal }: CallOptions = {},
): Promise<{ changes: RpcCall[]; receipt: RpcReceipt }> {
  const options = {
    blockOverrides: blockOverrides(block),
    ...(stateOverrides && { stateOverrides }),
  };
  const tracers = [DIFF_TRACER, { tracer: 'callTracer', tracerConfig: { withLog: true } }];
  const [diff, frame] = await requestEach(
    engine,
    tracers.map((tracer) => ({
      method: 'debug_traceCall',
      params: [{ ...asCall(transaction), ...fields }, 'latest', { ...tracer, ...options }],
    })),
    { signal },
  );
  return {
    changes: changesOf(diff as StateDiff),
    receipt: asReceipt(transaction, frame as Frame),
  };
}

function asReceipt(transaction: RpcTransaction, frame: Frame): RpcReceipt {
  return {
    transactionHash: transaction.hash,
    transactionIndex: transaction.transactionIndex ?? '0x0',
    blockHash: transaction.blockHash ?? '0x',
    blockNumber: transaction.blockNumber ?? '0x0',
    from: transaction.from,
    to: transaction.to,
    contractAddress: null,
    gasUsed: frame.gasUsed,
    cumulativeGasUsed: frame.gasUsed,
    status: frame.error === undefined ? '0x1' : '0x0',
    logs: frame.error === undefined ? logsOf(frame) : [],
  };
}

/** In the order of execution: `position` is how many calls of its frame came before a log. */
function logsOf({ logs = [], calls = [] }: Frame): RpcLog[] {
  const inOrder: RpcLog[] = [];
  for (let place = 0; place <= calls.length; place++) {
    inOrder.push(...logs.filter(({ position = '0x0' }) => Number(position) === place));
    const call = calls[place];
    if (call && call.error === undefined) inOrder.push(...logsOf(call));
  }
  return inOrder;
}

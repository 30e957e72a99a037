import { asCall } from './as-call';
import type { Address, Hash, Hex } from '../api/primitives';
import type { RpcCall, RpcClient } from '../ethereum/json-rpc';
import { toWord } from '../ethereum/quantity';
import type { RpcBlock, RpcLog, RpcReceipt, RpcTransaction } from '../ethereum/types';
import { setBalance, setCode, setNonce, setSlot } from './engine-state';

interface DiffAccount {
  balance?: Hex;
  nonce?: number;
  code?: Hex;
  storage?: Record<Hash, Hash>;
}

/** What geth's prestateTracer answers in its diff mode. */
interface StateDiff {
  pre: Record<Address, DiffAccount>;
  post: Record<Address, DiffAccount>;
}

interface Frame {
  gasUsed: Hex;
  error?: string;
  logs?: (RpcLog & { position?: Hex })[];
  calls?: Frame[];
}

/**
 * Executes transactions as calls, which unlike mined ones see the block's own PREVRANDAO, and writes what each changes into the
 * engine's state, for the next one to find it. No block is mined.
 * @returns what the receipts would say
 */
export async function executeAsCalls(
  engine: RpcClient,
  block: RpcBlock,
  transactions: readonly RpcTransaction[],
  signal?: AbortSignal,
): Promise<RpcReceipt[]> {
  const receipts: RpcReceipt[] = [];
  const blockOverrides = {
    number: block.number,
    time: block.timestamp,
    gasLimit: block.gasLimit,
    coinbase: block.miner,
    random: block.mixHash,
    ...(block.baseFeePerGas === undefined ? {} : { baseFee: block.baseFeePerGas }),
  };
  for (const transaction of transactions) {
    const call = asCall(transaction);
    const [diff, frame] = await all(
      engine,
      [
        { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
        { tracer: 'callTracer', tracerConfig: { withLog: true } },
      ].map((tracer) => ({
        method: 'debug_traceCall',
        params: [call, 'latest', { ...tracer, blockOverrides }],
      })),
      signal,
    );
    await all(engine, changesOf(diff as StateDiff), signal);
    receipts.push(asReceipt(transaction, frame as Frame));
  }
  return receipts;
}

async function all(
  engine: RpcClient,
  calls: readonly RpcCall[],
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const outcomes = await engine.requestAll(calls, { signal });
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** What is in `pre` alone is gone: a slot that became zero, or an account that was destroyed. */
function changesOf({ pre, post }: StateDiff): RpcCall[] {
  const calls: RpcCall[] = [];
  for (const [address, before] of Object.entries(pre) as [Address, DiffAccount][]) {
    const after = post[address];
    for (const slot of Object.keys(before.storage ?? {}) as Hash[]) {
      if (after?.storage?.[slot] === undefined) calls.push(setSlot(address, slot, toWord(0)));
    }
    if (after !== undefined) continue;
    calls.push(setBalance(address, 0n), setNonce(address, 0n), setCode(address, '0x'));
  }
  for (const [address, after] of Object.entries(post) as [Address, DiffAccount][]) {
    if (after.balance !== undefined) calls.push(setBalance(address, BigInt(after.balance)));
    if (after.nonce !== undefined) calls.push(setNonce(address, BigInt(after.nonce)));
    if (after.code !== undefined) calls.push(setCode(address, after.code));
    for (const [slot, value] of Object.entries(after.storage ?? {}) as [Hash, Hash][]) {
      calls.push(setSlot(address, slot, value));
    }
  }
  return calls;
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

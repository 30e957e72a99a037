import { asCall } from './transaction-to-call';
import type { Address, Hex } from '../../api/primitives';
import { requestEach, type RpcCall, type RpcClient } from '../../evm/forms/json-rpc';
import type { RpcBlockHeader, RpcLog, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { completeDiff, type DiffFacts } from '../../evm/forms/complete-diff';
import { changesOf, DIFF_TRACER, type StateDiff } from '../../evm/forms/prestate-diff';

interface Frame {
  type: string;
  from: Address;
  to?: Address;
  gasUsed: Hex;
  error?: string;
  logs?: (RpcLog & { position?: Hex })[];
  calls?: Frame[];
}

export interface CallOptions {
  /** Replacements for fields of the transaction. */
  fields?: object;
  /** State overrides of `eth_call`. */
  stateOverrides?: object;
  /** Changes to make first, in the same message. They stay. */
  after?: readonly RpcCall[];
  signal?: AbortSignal | undefined;
}

/** A block's context as geth's `blockOverrides`. */
export const blockOverrides = (block: RpcBlockHeader): object => ({
  number: block.number,
  time: block.timestamp,
  gasLimit: block.gasLimit,
  coinbase: block.miner,
  // DIFFICULTY before the merge (EIP-4399).
  ...(block.difficulty === undefined ? {} : { difficulty: block.difficulty }),
  ...(block.mixHash === undefined ? {} : { random: block.mixHash }),
  ...(block.baseFeePerGas === undefined ? {} : { baseFee: block.baseFeePerGas }),
});

/**
 * Predicts the effects of a transaction by tracing it as a call on the newest state. Unlike a mined transaction, a call sees the block's own
 * PREVRANDAO. No state is changed, except by `after`.
 * @returns the changes, the calls that would make them, and the receipt that the transaction would have
 */
export async function predictEffects(
  engine: RpcClient,
  block: RpcBlockHeader,
  transaction: RpcTransaction,
  { fields, stateOverrides, after = [], signal }: CallOptions = {},
): Promise<{ diff: StateDiff; changes: RpcCall[]; receipt: RpcReceipt }> {
  const options = {
    blockOverrides: blockOverrides(block),
    ...(stateOverrides && { stateOverrides }),
  };
  const trace = (tracer: object): RpcCall => ({
    method: 'debug_traceCall',
    params: [{ ...asCall(transaction), ...fields }, 'latest', { ...tracer, ...options }],
  });
  const answers = await requestEach(
    engine,
    [
      ...after,
      trace(DIFF_TRACER),
      trace({ tracer: 'callTracer', tracerConfig: { withLog: true } }),
    ],
    { signal },
  );
  const [tracedChanges, frame] = answers.slice(after.length) as [StateDiff, Frame];
  const lifecycle = lifecycleIn(frame);
  const [touched] =
    lifecycle.created.size + lifecycle.selfDestructed.size > 0
      ? ((await requestEach(engine, [trace({ tracer: DIFF_TRACER.tracer })], { signal })) as [
          DiffFacts['touched'],
        ])
      : [];
  const diff = completeDiff(tracedChanges, { transaction, touched, ...lifecycle });
  return { diff, changes: changesOf(diff), receipt: asReceipt(transaction, frame) };
}

/** Accounts that were created or destroyed, excluding reverted frames. */
function lifecycleIn(
  root: Frame,
): Record<keyof Pick<DiffFacts, 'created' | 'selfDestructed'>, Set<Address>> {
  const [created, selfDestructed] = [new Set<Address>(), new Set<Address>()];
  const open = [{ frame: root, caller: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { frame, caller } = next;
    if (frame.error !== undefined) continue;
    if (frame.type === 'SELFDESTRUCT') {
      // The frame itself may name another account: see `needsDetails`.
      const isDelegated = caller.type === 'DELEGATECALL' || caller.type === 'CALLCODE';
      const executor = isDelegated ? caller.from : caller.to;
      if (executor) selfDestructed.add(lower(executor));
    } else if (frame.type.startsWith('CREATE') && frame.to) created.add(lower(frame.to));
    for (const call of frame.calls ?? []) open.push({ frame: call, caller: frame });
  }
  return { created, selfDestructed };
}

const lower = (address: Address): Address => address.toLowerCase() as Address;

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

/** Logs in the order of execution: `position` is the number of calls of its frame before a log. */
function logsOf({ logs = [], calls = [] }: Frame): RpcLog[] {
  const inOrder: RpcLog[] = [];
  const byPosition = new Map<number, RpcLog[]>();
  for (const log of logs) {
    const position = Number(log.position ?? '0x0');
    const own = byPosition.get(position);
    if (own) own.push(log);
    else byPosition.set(position, [log]);
  }
  for (let index = 0; index <= calls.length; index++) {
    for (const log of byPosition.get(index) ?? []) inOrder.push(log);
    const call = calls[index];
    if (call && call.error === undefined) for (const log of logsOf(call)) inOrder.push(log);
  }
  return inOrder;
}

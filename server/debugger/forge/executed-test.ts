import type { CallFrame, CallType, FrameItem } from '../../analysis/call-frame';
import type { ExecutedTransaction } from '../../analysis/executed-transaction';
import type { Address, Hash, Hex } from '../../api/primitives';
import { toQuantity, toWord } from '../../evm/forms/quantity';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { BlockEnvironment } from '../../evm/interpreter/environment';
import { isCreationKind } from '../../evm/interpreter/frame';
import { wordsOf } from './forge-cheats';
import type { ForgeCall, ForgeCalls } from './forge-output';
import { outermost } from './test-state';

/** Calls inside of one another that are read. */
const MOST_DEPTH = 1_100;
const hex = (text: string): Hex => text.toLowerCase() as Hex;

/** The call tree of an execution of forge. */
function callTree(calls: ForgeCalls): CallFrame {
  const frameOf = (call: ForgeCall, depth: number): CallFrame => {
    const { trace, logs, ordering, children } = call;
    const isDelegated = trace.kind === 'DELEGATECALL' || trace.kind === 'CALLCODE';
    const items: FrameItem[] = [];
    for (const { Call: child, Log: log } of ordering) {
      const inner = child === undefined ? undefined : calls[children[child] ?? -1];
      if (inner && depth < MOST_DEPTH) items.push(frameOf(inner, depth + 1));
      const raw = log === undefined ? undefined : logs[log]?.raw_log;
      if (!raw) continue;
      // The account that a delegate call runs for is its caller.
      const address = (isDelegated ? trace.caller : trace.address) as Address;
      const topics = raw.topics.map((topic) => toWord(BigInt(topic)));
      items.push({ address, topics, data: hex(raw.data) });
    }
    return {
      type: trace.kind satisfies CallType,
      from: trace.caller as Address,
      to: trace.address as Address,
      value: isDelegated || trace.kind === 'STATICCALL' ? 0n : BigInt(trace.value),
      gasUsed: trace.gas_used,
      input: hex(trace.data),
      output: hex(trace.output),
      ...(!trace.success && {
        error: trace.status === 'Revert' ? 'execution reverted' : wordsOf(trace.status),
      }),
      items,
    };
  };
  return frameOf(outermost(calls), 0);
}

/** A test's execution as an unsent transaction. @param id of the recording */
export function executedTest(
  id: Hash,
  calls: ForgeCalls,
  block: BlockEnvironment,
): ExecutedTransaction {
  const root = callTree(calls);
  const {
    caller,
    address,
    kind,
    value,
    data,
    gas_limit: gas,
    gas_used: used,
    success,
  } = outermost(calls).trace;
  const header: RpcBlockHeader = {
    number: toQuantity(block.number),
    hash: id,
    parentHash: toWord(0),
    timestamp: toQuantity(block.timestamp),
    miner: block.coinbase as Address,
    gasLimit: toQuantity(block.gasLimit),
    gasUsed: toQuantity(used),
  };
  const to = isCreationKind(kind) ? null : (address as Address);
  const place = { blockHash: id, blockNumber: header.number, transactionIndex: '0x0' as const };
  return {
    isSimulated: true,
    trace: { root, method: 'debug', reportedGas: used },
    mined: {
      block: header,
      transaction: {
        ...place,
        hash: id,
        type: '0x0',
        nonce: '0x0',
        from: caller as Address,
        to,
        value: hex(value),
        gas: toQuantity(gas),
        gasPrice: '0x0',
        input: hex(data),
      },
      receipt: {
        ...place,
        transactionHash: id,
        from: caller as Address,
        to,
        contractAddress: to === null ? (address as Address) : null,
        gasUsed: toQuantity(used),
        cumulativeGasUsed: toQuantity(used),
        status: success ? '0x1' : '0x0',
        logs: [],
      },
    },
  };
}

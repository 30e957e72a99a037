import { executionSteps, type CallFrame } from '../analysis/call-frame';
import { RpcError } from '../ethereum/json-rpc';

/** Instructions, some seconds. Anvil goes on when nobody waits any more, and answers nothing else meanwhile; a tracer that throws ends it. */
const MAX_STEPS = 500_000;
const TOO_LONG = 'too many steps';

/**
 * A tracer in JavaScript (go-ethereum's interface, which anvil follows) for the logs that `callTracer` leaves out: those of
 * frames that were rolled back. It answers a tree of the shape of `callTracer`, with nothing but calls and logs in it; null where the
 * execution is too long.
 */
export const LOG_TRACER = {
  tracer: `{
    frames: [{ calls: [], logs: [] }],
    steps: 0,
    top: function () { return this.frames[this.frames.length - 1]; },
    enter: function () { this.frames.push({ calls: [], logs: [] }); },
    exit: function () { var frame = this.frames.pop(); this.top().calls.push(frame); },
    step: function (log) {
      if (++this.steps > ${MAX_STEPS}) throw new Error('${TOO_LONG}');
      var topicCount = log.op.toNumber() - 0xa0;
      if (topicCount < 0 || topicCount > 4) return;
      var start = log.stack.peek(0).valueOf(), length = log.stack.peek(1).valueOf(), topics = [];
      for (var i = 0; i < topicCount; i++) {
        topics.push('0x' + ('0'.repeat(64) + log.stack.peek(2 + i).toString(16)).slice(-64));
      }
      var frame = this.top(), data = '0x';
      try { if (length > 0) data = toHex(log.memory.slice(start, start + length)); } catch (error) { return; }
      var address = toHex(log.contract.getAddress());
      frame.logs.push({ address: address, topics: topics, data: data, position: frame.calls.length });
    },
    fault: function () {},
    result: function () { return this.steps > ${MAX_STEPS} ? null : this.frames[0]; }
  }`,
} as const;

/** Deadline of that tracer: it runs script at every step, and what it adds is worth no long wait. */
export const LOG_TRACER_TIMEOUT_MS = 20_000;

/** Whether a node runs that tracer, and only the execution is too long for it. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof RpcError && error.message.includes(TOO_LONG);

/** Whether there may be logs that were rolled back. */
export function hasFailedFrame(root: CallFrame): boolean {
  for (const { frame } of executionSteps(root)) if (frame.error !== undefined) return true;
  return false;
}

import { executionSteps, type CallFrame } from '../../analysis/call-frame';
import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';

/**
 * Maximum number of instructions, which take some seconds. Anvil keeps tracing after the client disconnects, and answers nothing else until
 * then. A tracer that throws ends the trace.
 */
const MAX_STEPS = LIMITS.detailSteps;
const TOO_LONG = 'too many steps';
/** Bytes. No block has enough gas for a longer log. */
const MAX_LOG_DATA = 10_000_000;

/**
 * A JavaScript tracer (go-ethereum's interface, which anvil follows) for what `callTracer` omits or reports wrongly: the logs of reverted
 * frames, and the amount that each SELFDESTRUCT moves. A log counts once the next instruction runs, because LOG itself fails in a static
 * call (EIP-214) or out of gas. The result has the shape of `callTracer`'s, with calls, logs and `destroys` only; self-destructions are not
 * listed as calls. It is null if the execution is too long.
 */
export const DETAIL_TRACER = {
  tracer: `{
    frames: [{ calls: [], logs: [] }],
    steps: 0,
    top: function () { return this.frames[this.frames.length - 1]; },
    word: function (value) { return ('0'.repeat(64) + value.toString(16)).slice(-64); },
    enter: function () { this.frames.push({ calls: [], logs: [], isDestruction: this.top().destroys !== undefined }); },
    exit: function () {
      var frame = this.frames.pop();
      frame.pending = undefined;
      if (!frame.isDestruction) this.top().calls.push(frame);
    },
    step: function (log, db) {
      if (++this.steps > ${MAX_STEPS}) throw new Error('${TOO_LONG}');
      var frame = this.top(), opcode = log.op.toNumber();
      if (frame.pending) frame.logs.push(frame.pending);
      frame.pending = undefined;
      if (opcode === 0xff && log.stack.length() > 0) {
        var executor = log.contract.getAddress();
        frame.destroys = {
          from: toHex(executor),
          to: '0x' + this.word(log.stack.peek(0)).slice(24),
          value: '0x' + db.getBalance(executor).toString(16)
        };
      }
      var topicCount = opcode - 0xa0;
      if (topicCount < 0 || topicCount > 4 || log.stack.length() < topicCount + 2) return;
      var start = Number(log.stack.peek(0).valueOf()), length = Number(log.stack.peek(1).valueOf()), topics = [];
      if (length > ${MAX_LOG_DATA}) return;
      for (var i = 0; i < topicCount; i++) topics.push('0x' + this.word(log.stack.peek(2 + i)));
      var known = Math.max(0, Math.min(length, log.memory.length() - start));
      var data = (known > 0 ? toHex(log.memory.slice(start, start + known)) : '0x') + '00'.repeat(length - known);
      var address = toHex(log.contract.getAddress());
      frame.pending = { address: address, topics: topics, data: data, position: frame.calls.length };
    },
    fault: function () {},
    result: function () { this.frames[0].pending = undefined; return this.steps > ${MAX_STEPS} ? null : this.frames[0]; }
  }`,
} as const;

/** Deadline of that tracer. It runs a script at every step, and its result is not worth a long wait. */
export const DETAIL_TIMEOUT_MS = 20_000;

/** Whether an error means that the node runs that tracer but the execution is too long for it. */
export const isTooLong = (error: unknown): boolean =>
  error instanceof RpcError && error.message.includes(TOO_LONG);

/**
 * Whether a trace needs `DETAIL_TRACER`: a frame failed, whose logs `callTracer` omits, or a self-destruction may be reported wrongly. If a
 * self-destruction moves nothing (EIP-6780), engines built on revm repeat the last transfer in its place.
 */
export function needsDetails(root: CallFrame): boolean {
  const moved = new Set<string>();
  for (const { frame, log } of executionSteps(root)) {
    if (log) continue;
    if (frame.error !== undefined) return true;
    const move = [frame.from, frame.to, frame.value].join();
    const destroys = frame.type === 'SELFDESTRUCT';
    if (destroys && (frame.isValueUnknown || moved.has(move))) return true;
    if (destroys || frame.value > 0n) moved.add(move);
  }
  return false;
}

import * as z from 'zod';
import { CALL_TYPES } from '../../analysis/call-frame';
import type {
  FramePoints,
  FramePointSource,
  MinedTransaction,
  Network,
} from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { OnProgress } from '../../api/progress';
import { addressSchema } from '../../api/primitives';
import { RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { timeoutSignal } from '../../api/timeout-signal';
import type { TracedOn, TransactionTracer } from '../engines/transaction-tracer';

/** Jumps that are recorded for each call: generated code at the end of a call contains fewer. */
const JUMPS = 24;
/** Deadline. The script runs at every instruction. */
const TIMEOUT_MS = 60_000;
/**
 * Instructions that take about as long. Anvil keeps tracing after the client disconnects, and answers nothing else until then. A tracer
 * that throws ends the trace.
 */
const MAX_STEPS = LIMITS.placeSteps;

/**
 * A JavaScript tracer (go-ethereum's interface, which anvil follows) that records where in the code each call was made, and where it ended.
 */
const POINT_TRACER = {
  tracer: `{
    frames: [], open: [], steps: 0,
    add: function (frame) { frame.jumps = []; this.open.push(frame); this.frames.push(frame); },
    top: function () { return this.open[this.open.length - 1]; },
    setup: function () { this.add({}); },
    enter: function (call) { this.add({ type: call.getType(), to: toHex(call.getTo()), site: this.top().end }); },
    exit: function () { this.open.pop(); },
    step: function (log) {
      if (++this.steps > ${MAX_STEPS}) throw new Error('too many steps');
      var frame = this.top(), opcode = log.op.toNumber();
      frame.end = log.getPC();
      if (opcode !== 0x56 && opcode !== 0x57) return;
      frame.jumps.push(frame.end);
      if (frame.jumps.length > ${JUMPS}) frame.jumps.shift();
    },
    fault: function (log) { this.top().end = log.getPC(); },
    result: function () { return this.steps > ${MAX_STEPS} ? null : this.frames; }
  }`,
  timeout: `${TIMEOUT_MS / 1000}s`,
} as const;

const offset = z.int().min(0);
const answerSchema = z.array(
  z.object({
    type: z.enum(CALL_TYPES).optional(),
    to: addressSchema.optional(),
    site: offset.optional(),
    end: offset.optional(),
    jumps: z.array(offset),
  }),
);

/** Uses the network's own node, else an engine at the position of the transaction. */
export class TracedFramePoints implements FramePointSource {
  constructor(private readonly tracer: TransactionTracer) {}

  async points(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<readonly FramePoints[]> {
    const deadline = timeoutSignal(TIMEOUT_MS);
    const limited = AbortSignal.any([signal, deadline]);
    try {
      const options = { signal: limited, onProgress };
      return (
        (await this.#onNode(network, mined, limited)) ??
        (await this.tracer.onEngine(network, mined, options, (engine) =>
          pointsOn(engine, mined, limited),
        ))
      );
    } catch (error) {
      if (signal.aborted) throw error;
      if (deadline.aborted) throw dataMissing(mined, `it takes longer than ${TIMEOUT_MS / 1000} s`);
      if (error instanceof RpcError) throw dataMissing(mined, error.message);
      throw error;
    }
  }

  /** Undefined if the node does not run custom tracers but an engine may. */
  async #onNode(
    network: Network,
    mined: MinedTransaction,
    signal: AbortSignal,
  ): Promise<FramePoints[] | undefined> {
    try {
      return await pointsOn(this.tracer.node(network, mined), mined, signal);
    } catch (error) {
      if (signal.aborted || !network.replayable) throw error;
      return undefined;
    }
  }
}

async function pointsOn(
  place: TracedOn,
  mined: MinedTransaction,
  signal: AbortSignal,
): Promise<FramePoints[]> {
  const [answer] = await place.run([POINT_TRACER], { signal });
  return read(answer, mined);
}

function read(answer: unknown, mined: MinedTransaction): FramePoints[] {
  if (answer === null) throw dataMissing(mined, `it executes more than ${MAX_STEPS} instructions`);
  const points = answerSchema.safeParse(answer);
  if (!points.success) throw dataMissing(mined, 'the tracer returned an unexpected answer');
  return points.data.map(({ type, to, site, end, jumps }) => ({
    jumps,
    ...(type && { type }),
    ...(to && { to }),
    ...(site !== undefined && { site }),
    ...(end !== undefined && { end }),
  }));
}

const dataMissing = ({ transaction: { hash } }: MinedTransaction, why: string): ApiError =>
  new ApiError(
    'upstreamLacksData',
    `the code locations of the calls of ${hash} are not available: ${why}`,
  );

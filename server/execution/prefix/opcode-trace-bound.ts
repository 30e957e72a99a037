import type { Fields } from '../../evm/forms/fields';
import { RpcError, type RpcClient } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';

/** Measured memory of an engine for a listed instruction without stack and memory, including its JSON. */
const STEP_BYTES = 1_200;
/** The same for a word of stack or memory. */
const WORD_BYTES = 200;

/** Whether trace options request single instructions: they name no tracer. */
export const isOpcodeTrace = (options: unknown): boolean =>
  (options as { tracer?: unknown } | null | undefined)?.tracer === undefined;

/**
 * Executes a call without listing its instructions, to find the memory that the list would need: an engine keeps the whole list in memory.
 * @param params of `debug_traceCall`
 * @throws RpcError -32005 if the list would be too long
 */
export async function requireListable(
  engine: RpcClient,
  [call, block, options]: readonly unknown[],
  signal?: AbortSignal,
): Promise<void> {
  const given = (options ?? {}) as Fields;
  const { stateOverrides, blockOverrides } = given;
  const counting = { tracer: counterOf(given), stateOverrides, blockOverrides };
  const needed = await engine.request(
    'debug_traceCall',
    [call, block ?? 'latest', counting],
    signal && { signal },
  );
  const { listedSteps: limit } = LIMITS;
  if (typeof needed !== 'number' || needed <= limit) return;
  throw new RpcError(
    RPC_CODES.limitExceeded,
    `the list of instructions would need more than ${limit} bytes of the engine's memory; use callTracer or prestateTracer, less gas, or disableStack`,
  );
}

/** Tracer that aborts as soon as the list is too long. */
function counterOf({ disableStack, enableMemory, disableMemory }: Fields): string {
  const stack = disableStack === true ? '0' : 'log.stack.length()';
  const hasMemory = enableMemory === true || disableMemory === false;
  const memory = hasMemory ? 'Math.ceil(log.memory.length() / 32)' : '0';
  return `{
    bytes: 0,
    step: function (log) {
      this.bytes += ${STEP_BYTES} + ${WORD_BYTES} * (${stack} + ${memory});
      if (this.bytes > ${LIMITS.listedSteps}) throw 'too long';
    },
    fault: function () {},
    result: function () { return this.bytes; }
  }`;
}

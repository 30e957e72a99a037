import type { Hardfork } from '../../api/config';
import { isPrecompile } from '../../evm/rules/precompiles';
import type { CallFrame } from '../../execution/tracing/call-tracer-frame';

/** Position of a traced transaction; all undefined for a call. */
export interface TracePosition {
  blockHash?: string | undefined;
  blockNumber?: number | undefined;
  transactionHash?: string | undefined;
  transactionPosition?: number | undefined;
}

interface FlatOptions {
  /** Whether calls of precompiled contracts are listed. */
  includePrecompiles?: boolean;
  /** Whether errors use Parity's wording. */
  convertParityErrors?: boolean;
}

/** Errors of go-ethereum and of Parity. */
const PARITY_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^contract creation code storage out of gas$/, 'Out of gas'],
  [/^out of gas/, 'Out of gas'],
  [/^gas uint64 overflow$/, 'Out of gas'],
  [/^max code size exceeded$/, 'Out of gas'],
  [/^invalid jump destination$/, 'Bad jump destination'],
  [/^execution reverted$/, 'Reverted'],
  [/^return data out of bounds$/, 'Out of bounds'],
  [/^stack limit reached/, 'Out of stack'],
  [/^precompiled failed$/, 'Built-in failed'],
  [/^invalid input length$/, 'Built-in failed'],
  [/^invalid opcode:/, 'Bad instruction'],
  [/^stack underflow/, 'Stack underflow'],
];

/** The calls of a frame as in go-ethereum's flatCallTracer: each call before its inner calls. */
export function flatTraces(
  root: CallFrame,
  {
    position,
    hardfork,
    options,
  }: { position: TracePosition; hardfork: Hardfork; options: FlatOptions },
): object[] {
  const traces: object[] = [];
  const waiting: { frame: CallFrame; address: readonly number[] }[] = [
    { frame: root, address: [] },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { frame, address } = next;
    const calls = (frame.calls ?? []).filter(
      (call) => options.includePrecompiles === true || !isHidden(call, hardfork),
    );
    traces.push({
      ...partsOf(frame, options),
      subtraces: calls.length,
      traceAddress: address,
      blockHash: position.blockHash ?? null,
      blockNumber: position.blockNumber ?? 0,
      transactionHash: position.transactionHash ?? null,
      transactionPosition: position.transactionPosition ?? 0,
    });
    const children = calls.map((call, index) => ({ frame: call, address: [...address, index] }));
    for (const child of children.reverse()) waiting.push(child);
  }
  return traces;
}

/** Same as Parity, which does not list plain calls of precompiled contracts. */
const isHidden = (frame: CallFrame, hardfork: Hardfork): boolean =>
  ['CALL', 'STATICCALL'].includes(frame.type) &&
  frame.to !== undefined &&
  isPrecompile(frame.to, hardfork);

function partsOf(frame: CallFrame, { convertParityErrors }: FlatOptions): object {
  const { error } = frame;
  const words =
    error === undefined || convertParityErrors !== true
      ? error
      : (PARITY_ERRORS.find(([pattern]) => pattern.test(error))?.[1] ?? error);
  // The output of a revert contains its reason; other failures have no output.
  const hasResult = error === undefined || error === 'execution reverted';
  const { type, action, result } = actionOf(frame);
  return {
    type,
    action,
    ...(words === undefined ? {} : { error: words }),
    ...(hasResult && result ? { result } : {}),
  };
}

function actionOf(frame: CallFrame): { type: string; action: object; result?: object } {
  const { type, from, to, gas, gasUsed, value = '0x0', input, output = '0x' } = frame;
  switch (type) {
    case 'CREATE':
    case 'CREATE2':
      return {
        type: 'create',
        action: { creationMethod: type.toLowerCase(), from, gas, init: input, value },
        result: { address: to, code: output, gasUsed },
      };
    case 'SELFDESTRUCT':
      return { type: 'suicide', action: { address: from, balance: value, refundAddress: to } };
    default:
      return {
        type: 'call',
        action: { callType: type.toLowerCase(), from, gas, input, to, value },
        result: { gasUsed, output },
      };
  }
}

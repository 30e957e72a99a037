import type { Hardfork } from '../../api/config';
import { isPrecompile, type CallFrame } from './call-frame';

/** Where a traced transaction stands; all undefined for a call. */
export interface TracePlace {
  blockHash?: string | undefined;
  blockNumber?: number | undefined;
  transactionHash?: string | undefined;
  transactionPosition?: number | undefined;
}

interface FlatOptions {
  /** Calls of precompiled contracts are listed as well. */
  includePrecompiles?: boolean;
  /** Errors in the words of Parity. */
  convertParityErrors?: boolean;
}

/** Words of go-ethereum, to those of Parity. */
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

/** The calls of a frame as go-ethereum's flatCallTracer lists them: each before those that it makes. */
export function flatTraces(
  root: CallFrame,
  { place, hardfork, options }: { place: TracePlace; hardfork: Hardfork; options: FlatOptions },
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
      ...{ subtraces: calls.length, traceAddress: address },
      blockHash: place.blockHash ?? null,
      blockNumber: place.blockNumber ?? 0,
      transactionHash: place.transactionHash ?? null,
      transactionPosition: place.transactionPosition ?? 0,
    });
    const children = calls.map((call, index) => ({ frame: call, address: [...address, index] }));
    waiting.push(...children.reverse());
  }
  return traces;
}

/** As Parity, which lists no plain calls of precompiled contracts. */
const isHidden = (frame: CallFrame, hardfork: Hardfork): boolean =>
  ['CALL', 'STATICCALL'].includes(frame.type) && isPrecompile(frame, hardfork);

function partsOf(frame: CallFrame, { convertParityErrors }: FlatOptions): object {
  const { error } = frame;
  const words =
    error === undefined || convertParityErrors !== true
      ? error
      : (PARITY_ERRORS.find(([pattern]) => pattern.test(error))?.[1] ?? error);
  // The output of a revert tells its reason; other failures have none.
  const hasResult = error === undefined || error === 'execution reverted';
  const { type, action, result } = actionOf(frame);
  return {
    ...{ type, action },
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

import type { Hardfork } from '../../api/config';
import type { Fields } from '../../evm/forms/fields';
import { invalidParams } from '../../evm/forms/json-rpc';
import { isPrecompile } from '../../evm/rules/precompiles';
import type { CallFrame } from '../../execution/tracing/call-tracer-frame';
import { flatTraces, type TracePosition } from './flat-traces';

/** Tracers that every engine and node offers. Other tracers are derived from them. */
const BASIC = ['callTracer', 'prestateTracer', 'noopTracer'];
const DERIVED = ['4byteTracer', 'flatCallTracer'];

/** The subject of a trace. */
export interface TraceSource {
  position: TracePosition;
  hardfork: Hardfork;
}

/** How to derive a trace: which traces to request, and how to combine them. */
interface TracePlan {
  /** Options of the traces to request, in order. */
  asks: readonly Fields[];
  combine: (answers: readonly unknown[], source: TraceSource) => unknown;
}

/** Whether the engine lacks the tracer, fully or in part. */
export const isDerived = (options: unknown): boolean =>
  ['muxTracer', ...DERIVED].includes((options as Fields | null | undefined)?.['tracer'] as string);

/** @throws RpcError -32602 for a muxTracer configuration without tracers or with unknown ones */
export function planTrace(options: Fields): TracePlan {
  const config = (options['tracerConfig'] ?? {}) as Fields;
  const calls = { ...options, tracer: 'callTracer', tracerConfig: {} };
  switch (options['tracer']) {
    case 'flatCallTracer':
      return {
        asks: [calls],
        combine: ([frame], source) =>
          flatTraces(frame as CallFrame, { ...source, options: config }),
      };
    case '4byteTracer':
      return {
        asks: [calls],
        combine: ([frame], { hardfork }) => selectorsIn(frame as CallFrame, hardfork),
      };
    case 'muxTracer':
      return planMany(options, config);
    default:
      return { asks: [options], combine: ([answer]) => answer };
  }
}

/**
 * Derives one trace from the traces that it needs.
 * @param ask requests a trace with a tracer that every node offers
 */
export async function deriveTrace(
  options: Fields,
  source: TraceSource,
  ask: (options: Fields) => Promise<unknown>,
): Promise<unknown> {
  const { asks, combine } = planTrace(options);
  const answers: unknown[] = [];
  for (const one of asks) answers.push(await ask(one));
  return combine(answers, source);
}

/** Runs several tracers; the result has a member for each. */
function planMany(options: Fields, config: Fields): TracePlan {
  const names = Object.keys(config);
  const known = [...BASIC, ...DERIVED];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined || names.length === 0) {
    throw invalidParams('a tracer of muxTracer', unknown, known.join(', '));
  }
  const plans = names.map((name) =>
    planTrace({ ...options, tracer: name, tracerConfig: config[name] ?? {} }),
  );
  return {
    asks: plans.flatMap(({ asks }) => asks),
    combine: (answers, source) => {
      // Each plan requests one trace.
      const parts = plans.map(({ combine }, index) => combine([answers[index]], source));
      return Object.fromEntries(names.map((name, index) => [name, parts[index]]));
    },
  };
}

/** Same as go-ethereum's 4byteTracer: how often each selector was called with a number of bytes after it. */
function selectorsIn(root: CallFrame, hardfork: Hardfork): Record<string, number> {
  const counts: Record<string, number> = {};
  const waiting = [root];
  for (let frame = waiting.pop(); frame; frame = waiting.pop()) {
    for (const call of [...(frame.calls ?? [])].reverse()) waiting.push(call);
    const { type, input } = frame;
    const isCall = ['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'].includes(type);
    if (!isCall || input.length < 10 || isPrecompile(frame.to ?? '0x0', hardfork)) continue;
    const name = `${input.slice(0, 10)}-${(input.length - 10) / 2}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

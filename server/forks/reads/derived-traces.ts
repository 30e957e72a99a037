import type { Hardfork } from '../../api/config';
import type { Fields } from '../../ethereum/fields';
import { invalidParams } from '../../ethereum/json-rpc';
import { isPrecompile, type CallFrame } from './call-frame';
import { flatTraces, type TracePlace } from './flat-traces';

/** The tracers that every engine and node has: a trace of another one is made from theirs. */
const BASIC = ['callTracer', 'prestateTracer', 'noopTracer'];
const DERIVED = ['4byteTracer', 'flatCallTracer'];

/** What a trace was made of. */
export interface TraceSource {
  place: TracePlace;
  hardfork: Hardfork;
}

/** How to answer a trace: what to ask for, and what to make of the answers. */
interface TracePlan {
  /** Fields of the traces to ask for, in order. */
  asks: readonly Fields[];
  combine: (answers: readonly unknown[], source: TraceSource) => unknown;
}

/** Whether the tracer is one that the engine lacks, in part or as a whole. */
export const isDerived = (options: unknown): boolean =>
  ['muxTracer', ...DERIVED].includes((options as Fields | null | undefined)?.['tracer'] as string);

/** @throws RpcError -32602 for a configuration of muxTracer that names no tracers, or others */
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
 * One trace, made of those that it needs.
 * @param ask for a trace with a tracer that every node has
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

/** Several tracers at once; the answer has a member for each. */
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
      // Each of them asks for one trace.
      const parts = plans.map(({ combine }, index) => combine([answers[index]], source));
      return Object.fromEntries(names.map((name, index) => [name, parts[index]]));
    },
  };
}

/** As go-ethereum's 4byteTracer: how often each selector was called with so many bytes behind it. */
function selectorsIn(root: CallFrame, hardfork: Hardfork): Record<string, number> {
  const counts: Record<string, number> = {};
  const waiting = [root];
  for (let frame = waiting.pop(); frame; frame = waiting.pop()) {
    waiting.push(...[...(frame.calls ?? [])].reverse());
    const { type, input } = frame;
    const isCall = ['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'].includes(type);
    if (!isCall || input.length < 10 || isPrecompile(frame, hardfork)) continue;
    const name = `${input.slice(0, 10)}-${(input.length - 10) / 2}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

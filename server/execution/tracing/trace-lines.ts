import {
  executionSteps,
  executionWork,
  type CallFrame,
  type FrameItem,
  type Log,
  type Step,
} from '../../analysis/call-frame';
import type { ExecutionState } from '../../analysis/execution-state';
import type { ReplayProof, TransactionTrace } from '../../analysis/ports';
import type { Address } from '../../api/primitives';
import { inSlices } from '../../kernel/async/slices';

/** Version of this format and of the code that makes traces: increment it with every change of either. */
export const TRACE_VERSION = 9;

interface Header {
  version: number;
  name: string;
  method: TransactionTrace['method'];
  executor?: 'process';
  reportedGas: number;
  warnings?: readonly string[];
  applied?: number;
  proof?: ReplayProof;
  state?: Omit<ExecutionState, 'native'> & { native: [Address, string][] };
  prestate?: unknown;
  changes?: unknown;
}
type CallLine = [
  depth: number,
  kind: 'call',
  frame: Omit<CallFrame, 'items' | 'value'>,
  value: string,
];
type LogLine = [depth: number, kind: 'log', log: Log];

/**
 * Serializes a trace as lines of JSON: a header, its calls and logs in execution order, and their number.
 * @param name identifies the trace
 */
export function* traceLines(
  name: string,
  trace: TransactionTrace,
): Generator<string, void, undefined> {
  const { root, method, executor, warnings, reportedGas, applied } = trace;
  const { proof, state, prestate, changes } = trace;
  const header: Header = {
    version: TRACE_VERSION,
    name,
    method,
    ...(executor && { executor }),
    reportedGas,
    ...(warnings && { warnings }),
    ...(applied === undefined ? {} : { applied }),
    ...(proof && { proof }),
    ...(state && {
      state: { ...state, native: Array.from(state.native, ([of, wei]) => [of, wei.toString()]) },
    }),
    ...(prestate === undefined ? {} : { prestate }),
    ...(changes === undefined ? {} : { changes }),
  };
  yield JSON.stringify(header);
  let count = 0;
  for (const step of executionSteps(root)) {
    count++;
    yield JSON.stringify(toLine(step));
  }
  yield JSON.stringify(count);
}

function toLine({ frame, log, depth }: Step): CallLine | LogLine {
  if (log) return [depth, 'log', log];
  const { value, ...rest } = frame;
  const facts = { ...rest, items: undefined }; // items follow as lines of their own
  return [depth, 'call', facts, value.toString()];
}

/**
 * Reads such lines.
 * @throws Error if lines are missing, or of another version or name
 */
export async function readTraceLines(
  name: string,
  lines: AsyncIterable<string>,
): Promise<TransactionTrace> {
  let header: Header | undefined;
  let root: CallFrame | undefined;
  const open: FrameItem[][] = [];
  let count = 0;
  let isWhole = false;
  for await (const line of lines) {
    const value = JSON.parse(line) as Header | CallLine | LogLine | number;
    if (typeof value === 'number') isWhole = value === count;
    else if (!Array.isArray(value)) header = value;
    else {
      count++;
      const [depth] = value;
      if (value[1] === 'log') open[depth]?.push(value[2]);
      else {
        const items: FrameItem[] = [];
        const [, , facts, wei] = value;
        const frame: CallFrame = { ...facts, value: BigInt(wei), items };
        if (depth === 0) root = frame;
        else open[depth - 1]?.push(frame);
        open[depth] = items;
      }
    }
  }
  const isOurs = header?.version === TRACE_VERSION && header.name === name;
  if (!header || !isOurs || !root || !isWhole) throw new Error('the trace is incomplete');
  await inSlices(executionWork(root));
  const { method, executor, warnings, reportedGas, applied } = header;
  const { proof, state, prestate, changes } = header;
  return {
    root,
    method,
    ...(executor && { executor }),
    reportedGas,
    ...(warnings && { warnings }),
    ...(applied === undefined ? {} : { applied }),
    ...(proof && { proof }),
    ...(state && {
      state: { ...state, native: new Map(state.native.map(([of, wei]) => [of, BigInt(wei)])) },
    }),
    ...(prestate === undefined ? {} : { prestate }),
    ...(changes === undefined ? {} : { changes }),
  };
}

import type { Fields } from '../../evm/forms/fields';
import type { CallFrame } from './call-tracer-frame';

/** One trace of `trace_transaction`, as OpenEthereum defined it and Erigon, Nethermind, Besu and Reth return it. */
export interface FlatTrace {
  type: string;
  action: Readonly<Record<string, string | undefined>>;
  result?: Readonly<Record<string, string | undefined>> | null;
  error?: string;
  traceAddress: readonly number[];
}

/** Whether `callTracer` is asked for without logs, which traces of calls do not contain. */
export function isPlainCallTrace(options: unknown): boolean {
  const { tracer, tracerConfig } = (options ?? {}) as Fields;
  const { withLog } = (tracerConfig ?? {}) as Fields;
  return tracer === 'callTracer' && withLog !== true;
}

/** The calls of a transaction as in `callTracer`'s result; undefined if the traces are not those of one call with its inner calls. */
export function callFrameOf(traces: readonly FlatTrace[]): CallFrame | undefined {
  const frames = new Map<string, { frame: CallFrame; calls: CallFrame[] }>();
  for (const trace of traces) {
    const frame = frameOf(trace);
    if (!frame) return undefined;
    const { traceAddress } = trace;
    const calls: CallFrame[] = [];
    frames.set(traceAddress.join('.'), { frame, calls });
    if (traceAddress.length === 0) continue;
    const parent = frames.get(traceAddress.slice(0, -1).join('.'));
    if (!parent) return undefined;
    parent.calls.push(frame);
  }
  for (const { frame, calls } of frames.values()) if (calls.length > 0) frame.calls = calls;
  return frames.get('')?.frame;
}

/** go-ethereum's wording of the errors that it shares with OpenEthereum. */
const ERRORS: Readonly<Record<string, string>> = {
  Reverted: 'execution reverted',
  'Out of gas': 'out of gas',
  'Bad jump destination': 'invalid jump destination',
  'Bad instruction': 'invalid opcode',
  'Stack underflow': 'stack underflow',
};

function frameOf({ type, action, result, error }: FlatTrace): CallFrame | undefined {
  const { from = '0x', gas = '0x0', value = '0x0' } = action;
  const gasUsed = result?.['gasUsed'] ?? (error === undefined ? '0x0' : gas);
  const failure = error === undefined ? {} : { error: ERRORS[error] ?? error };
  switch (type) {
    case 'call': {
      const { to = '0x', input = '0x', callType = 'call' } = action;
      const output = result?.['output'];
      return {
        type: callType.toUpperCase(),
        from,
        to,
        gas,
        gasUsed,
        input,
        ...(callType === 'staticcall' ? {} : { value }),
        ...(output === undefined ? {} : { output }),
        ...failure,
      };
    }
    case 'create': {
      const { init: input = '0x', creationMethod = 'create' } = action;
      const { address, code } = result ?? {};
      return {
        type: creationMethod.toUpperCase(),
        from,
        gas,
        gasUsed,
        value,
        input,
        ...(address === undefined ? {} : { to: address }),
        ...(code === undefined ? {} : { output: code }),
        ...failure,
      };
    }
    case 'suicide':
    case 'selfdestruct': {
      const { address = '0x', refundAddress = '0x', balance = '0x0' } = action;
      const to = refundAddress;
      const gasless = { gas: '0x0', gasUsed: '0x0', input: '0x' };
      return { type: 'SELFDESTRUCT', from: address, to, value: balance, ...gasless };
    }
    default:
      return undefined;
  }
}

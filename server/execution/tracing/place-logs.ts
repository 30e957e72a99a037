import type { Log } from '../../analysis/call-frame';
import type { CallFrame } from './call-tracer-frame';

/** A log as `callTracer` lists it. `position`: number of calls that its frame made before it. */
type PlacedLog = Log & { readonly position: number };

/** A frame of `callTracer` with its logs. */
interface LoggedFrame extends CallFrame {
  logs?: PlacedLog[];
}

interface Open {
  readonly frame: LoggedFrame;
  /** The account that executes it, in lower case; undefined where no log can come from. */
  readonly emitter: string | undefined;
  next: number;
}

/**
 * Places the logs of a receipt in a call tree that lists none: each at the earliest call of its contract that can have emitted it, after
 * the log before it. A call that only forwards to another code has none of its own, unless the logs do not fit otherwise.
 * @returns false if the calls cannot have emitted the logs; some are placed then
 */
export function placeLogs(root: CallFrame, logs: readonly Log[]): boolean {
  return place(root, logs, true) || place(root, logs, false);
}

function place(root: CallFrame, logs: readonly Log[], skipsForwards: boolean): boolean {
  let placed = 0;
  const emit = ({ frame, emitter, next }: Open): void => {
    if (emitter === undefined || (skipsForwards && isForward(frame))) return;
    for (let log = logs[placed]; log?.address.toLowerCase() === emitter; log = logs[++placed]) {
      (frame.logs ??= []).push({ ...log, position: next });
    }
  };
  const open = [enter(root, true)];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    emit(top);
    const call = top.frame.calls?.[top.next++];
    if (call) open.push(enter(call, top.emitter !== undefined));
    else open.pop();
  }
  return placed === logs.length;
}

/** @param mayEmit whether the caller may: no call inside a static or a failed one can */
function enter(frame: CallFrame, mayEmit: boolean): Open {
  const { type, from, to, error } = frame;
  delete (frame as LoggedFrame).logs;
  const isSilent = type === 'STATICCALL' || type === 'SELFDESTRUCT' || error !== undefined;
  const account = type === 'DELEGATECALL' || type === 'CALLCODE' ? from : to;
  return { frame, emitter: mayEmit && !isSilent ? account?.toLowerCase() : undefined, next: 0 };
}

/** A proxy. */
const isForward = ({ calls = [] }: CallFrame): boolean =>
  calls.length === 1 && calls[0]?.type === 'DELEGATECALL' && calls[0].error === undefined;

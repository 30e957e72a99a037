import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { RecordedCall, RecordedCalls } from '../../api/recording';
import type { DebuggedTransaction } from '../debugged-transaction';
import { declarationOf } from '../declarations';

interface Page {
  readonly start?: number | undefined;
  readonly count?: number | undefined;
}

/** @throws ApiError `invalidField` */
export function callsAnswer(debugged: DebuggedTransaction, page: Page): RecordedCalls {
  const { start = 0, count = LIMITS.recordedCallsPage } = page;
  if (count > LIMITS.recordedCallsPage) {
    throw invalidField('count', count, `a whole number up to ${LIMITS.recordedCallsPage}`);
  }
  const { calls } = debugged.calls;
  const { logs } = debugged.recording;
  const events = logs.flatMap(({ step }, index) => {
    const call = debugged.calls.callOf[step] ?? 0;
    const nodeId = debugged.nodes.ofLog.get(index);
    if (nodeId === undefined || call < start || call >= start + count) return [];
    return [{ nodeId, call, step }];
  });
  const listed = calls.slice(start, start + count);
  return {
    calls: listed.map((_, index) => callAnswer(debugged, start + index)),
    events,
    total: calls.length,
  };
}

function callAnswer(debugged: DebuggedTransaction, index: number): RecordedCall {
  const call = debugged.calls.calls[index];
  const frame = debugged.recording.frames[call?.frame ?? -1];
  if (!call || !frame) throw new RangeError(`there is no call ${index}`);
  const { kind, parent = null, depth, firstStep, endStep } = call;
  const isExternal = kind === 'external';
  const declaration = declarationOf(debugged, index);
  const nodeId = isExternal ? debugged.nodes.ofFrame.get(call.frame) : undefined;
  return {
    ...{ call: index, kind, parent, depth, firstStep, endStep },
    operation: isExternal ? frame.context.kind : 'JUMP',
    contract: debugged.codes.codeOf[call.frame] ?? null,
    address: frame.context.address,
    function: debugged.functionOf(index),
    ...(declaration && { declaration }),
    ...(nodeId !== undefined && { nodeId }),
    ...(isExternal && frame.end && { outcome: frame.end.kind }),
  };
}

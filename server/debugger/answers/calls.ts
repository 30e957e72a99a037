import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { RecordedCall, RecordedCalls, Variable } from '../../api/recording';
import { inSlices } from '../../kernel/async/slices';
import { DEFAULT_LANGUAGE, languageOf } from '../languages/languages';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { declarationOf } from '../session/declarations';

interface Page {
  readonly start?: number | undefined;
  readonly count?: number | undefined;
  /** `true`: with what the calls returned. */
  readonly results?: 'true' | 'false' | undefined;
}

/** @throws ApiError `invalidField` */
export async function callsAnswer(
  debugged: DebuggedTransaction,
  page: Page,
  signal: AbortSignal,
): Promise<RecordedCalls> {
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
  const listed: RecordedCall[] = [];
  for (let index = start; index < Math.min(start + count, calls.length); index++) {
    const known = await argumentsOf(debugged, index, signal);
    const results = page.results === 'true' ? await resultsOf(debugged, index, signal) : undefined;
    listed.push({
      ...(await callAnswer(debugged, index, signal)),
      ...(known && { arguments: known }),
      ...(results && { results }),
    });
  }
  return {
    calls: listed,
    events,
    total: calls.length,
  };
}

async function callAnswer(
  debugged: DebuggedTransaction,
  index: number,
  signal: AbortSignal,
): Promise<RecordedCall> {
  const call = debugged.calls.calls[index];
  const frame = debugged.recording.frames[call?.frame ?? -1];
  if (!call || !frame) throw new RangeError(`there is no call ${index}`);
  const { kind, parent = null, depth, firstStep, endStep } = call;
  const isExternal = kind === 'external';
  const declaration = await declarationOf(debugged, index, signal);
  const declaringContract = debugged.declaringContractOf(index);
  const nodeId = isExternal ? debugged.nodes.ofFrame.get(call.frame) : undefined;
  return {
    call: index,
    kind,
    parent,
    depth,
    firstStep,
    endStep,
    operation: isExternal ? frame.context.kind : 'JUMP',
    contract: debugged.codes.codeOf[call.frame] ?? null,
    address: frame.context.address,
    function: debugged.functionOf(index),
    ...(declaringContract !== undefined && { declaringContract }),
    ...(declaration && { declaration }),
    ...(nodeId !== undefined && { nodeId }),
    ...(isExternal && frame.end && { outcome: frame.end.kind }),
  };
}

/** Of a call of a contract by its call data, else by the stack at the entry of its function; undefined where they are not known. */
async function argumentsOf(
  debugged: DebuggedTransaction,
  index: number,
  signal: AbortSignal,
): Promise<Variable[] | undefined> {
  const { kind, frame, entryStep } = debugged.calls.calls[index] ?? {};
  if (kind === 'external' && frame !== undefined) {
    // Behind a proxy the call data are arguments of another function.
    if (debugged.functionOf(index) === 'fallback') return undefined;
    const decoded = debugged.decoder.decodeCall(debugged.callFrame(frame));
    if (decoded) return decodedVariables(debugged, frame, decoded.callParams);
  }
  if (entryStep === undefined) return undefined;
  await inSlices(debugged.recording.stateWork(entryStep), signal);
  return debugged.variables.at(entryStep, index).arguments();
}

/** Of a call of a contract by the data that it returned, else by the stack after its last step; undefined where they are not known. */
async function resultsOf(
  debugged: DebuggedTransaction,
  index: number,
  signal: AbortSignal,
): Promise<Variable[] | undefined> {
  const { kind, frame, endStep = 0 } = debugged.calls.calls[index] ?? {};
  if (frame === undefined) return undefined;
  if (kind === 'external') {
    const isDone = debugged.recording.frames[frame]?.end?.kind === 'returned';
    if (!isDone || debugged.functionOf(index) === 'fallback') return undefined;
    const decoded = debugged.decoder.decodeCall(debugged.callFrame(frame));
    return decoded ? decodedVariables(debugged, frame, decoded.returnParams) : undefined;
  }
  if (endStep >= debugged.recording.steps) return undefined;
  await inSlices(debugged.recording.stateWork(endStep), signal);
  return debugged.variables.resultsOf(index);
}

/** @param frame whose language writes the values */
function decodedVariables(
  debugged: DebuggedTransaction,
  frame: number,
  params: readonly Pick<Variable, 'name' | 'type' | 'value'>[],
): Variable[] {
  const program = debugged.programOf(frame);
  const language = (program && languageOf(program)) ?? DEFAULT_LANGUAGE;
  return params.map(({ name, type, value }) => ({
    name,
    type,
    value: language.argumentText(type, value),
  }));
}

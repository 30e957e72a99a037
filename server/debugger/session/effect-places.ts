import { statementStart } from '../recording/source-statements';
import type { DebuggedTransaction } from './debugged-transaction';

/** Steps before an event that are searched for its statement. */
const MAX_STEPS = 2_000;
/** Bytes of a statement that may name its event. */
const MAX_STATEMENT = 500;

/** Where the statement of an event is; `isCertain` is false where others share its code. */
export interface EventPlace {
  /** The event's own step, or an earlier one that has the place of its statement. */
  readonly step: number;
  readonly isCertain: boolean;
}

interface Visited {
  readonly step: number;
  readonly statement: number;
  readonly emits: boolean;
}

/**
 * The optimizer keeps one of several equal ends of statements, with the place of one of them. The statement of an event is then the last one
 * before that emits it.
 * @param name of the event; empty if it is not known
 */
export function eventPlace(debugged: DebuggedTransaction, step: number, name: string): EventPlace {
  const [own, ...before] = visitedUpTo(debugged, step, name);
  const emitting = before.find(({ emits }) => emits);
  if (!own) return { step, isCertain: false };
  if (!own.emits) return { step: emitting?.step ?? own.step, isCertain: emitting !== undefined };
  if (!emitting)
    return { step: own.step, isCertain: own.step === step && isOwnStatement(debugged, step) };
  // An event between them would be in its place.
  return emitting === before[0]
    ? { step: emitting.step, isCertain: true }
    : { step: own.step, isCertain: false };
}

/** Whether the statement of a step is the one that is executed: its code is not shared, or begins with code that is not. */
export function isOwnStatement(debugged: DebuggedTransaction, step: number): boolean {
  const { calls, recording } = debugged;
  const own = debugged.statementAt(step)?.statement;
  const call = calls.callOf[step] ?? 0;
  const first = Math.max(calls.calls[call]?.firstStep ?? 0, step - MAX_STEPS);
  for (let at = step; own !== undefined && at >= first; at--) {
    if (calls.callOf[at] !== call) continue;
    const statement = debugged.statementAt(at)?.statement;
    if (statement === undefined) continue;
    if (statement !== own) return false;
    const { frame, pc } = recording.at(at);
    if (debugged.codeOf(frame)?.program?.map.isSharedAt(pc) === false) return true;
  }
  return false;
}

/** The statements of the call since its last event, the last one first. */
function visitedUpTo(debugged: DebuggedTransaction, step: number, name: string): Visited[] {
  const { calls, recording, index } = debugged;
  const call = calls.callOf[step] ?? 0;
  const first = Math.max(calls.calls[call]?.firstStep ?? 0, step - MAX_STEPS);
  const found: Visited[] = [];
  for (let at = step; at >= first; at--) {
    if (calls.callOf[at] !== call) continue;
    if (at < step && index.logAt(at)) break;
    const statement = debugged.statementAt(at);
    if (!statement || found.some((one) => one.statement === statement.statement)) continue;
    const { frame, pc } = recording.at(at);
    const program = debugged.codeOf(frame)?.program;
    const range = program?.map.at(pc);
    const text = range && program?.text(range.file);
    if (!range || !text) continue;
    const start = statementStart(text, range.start);
    const [source = ''] = text.slice(start, MAX_STATEMENT).split(/[;{]/, 1);
    found.push({ step: at, statement: statement.statement, emits: emits(source, name) });
  }
  return found;
}

/** Before Solidity 0.4.21 events were emitted without a keyword. */
const emits = (statement: string, name: string): boolean =>
  name === ''
    ? /\bemit\b/.test(statement)
    : new RegExp(`\\b${name.replaceAll('$', '\\$')}\\s*\\(`).test(statement);

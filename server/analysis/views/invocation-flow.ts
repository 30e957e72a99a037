import {
  NODE_TYPE,
  type Event,
  type FlowNode,
  type Invocation,
  type InvocationFlow,
  type TraceNode,
} from '../../api/explorer';
import { ROOT_INVOCATION } from '../../api/root-invocation';
import { toDecimal } from '../../evm/forms/quantity';
import { executionSteps, isCreation, type CallFrame, type Log } from '../call-frame';
import { argumentsOf } from '../decoding/call';
import { readableText } from '../decoding/readable-text';
import { atOnce, STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { TraceDecoder } from '../decoding/trace-decoder';
import type { UnitReader } from '../units/unit-reader';

/** The call tree in the interface's form. Ids count calls and events in execution order; the top call has id 0. */
export const buildInvocationFlow = (root: CallFrame, decoder: TraceDecoder): Flow =>
  atOnce(invocationFlowWork(root, decoder));

type Flow = Pick<InvocationFlow, 'trace' | 'dataMap'>;

/** The same as interruptible work. @param units finds the units of numbers in it */
export function* invocationFlowWork(
  root: CallFrame,
  decoder: TraceDecoder,
  units?: UnitReader,
): Work<Flow> {
  const rootNode: TraceNode = { id: ROOT_INVOCATION.id, depth: -1, children: [] };
  const dataMap: Record<string, FlowNode> = {
    [ROOT_INVOCATION.id]: { nodeType: NODE_TYPE.invocation, invocation: ROOT_INVOCATION },
  };
  const path = [{ children: rootNode.children, next: 0 }]; // path[n + 1] is the open node of depth n
  let id = 0;
  for (const { frame, log, depth, reverted } of executionSteps(root)) {
    const children = new Array<TraceNode>(log ? 0 : frame.items.length);
    const node: TraceNode = { id, depth: log ? depth + 1 : depth, children };
    const parent = path[node.depth];
    if (parent) parent.children[parent.next++] = node;
    if (children.length > 0) path[depth + 1] = { children, next: 0 };
    if (log) {
      const event = toEvent(id, log, frame, reverted, decoder);
      units?.event(event);
      dataMap[id] = { nodeType: NODE_TYPE.event, event };
    } else {
      const invocation = toInvocation(id, frame, reverted, decoder);
      units?.call(invocation);
      dataMap[id] = { nodeType: NODE_TYPE.invocation, invocation };
    }
    if (++id % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  return { trace: [rootNode], dataMap };
}

function toInvocation(
  id: number,
  frame: CallFrame,
  revert: boolean,
  decoder: TraceDecoder,
): Invocation {
  const selector = selectorIn(frame, decoder);
  const decodedMethod =
    selector === FALLBACK && !decoder.isBuiltIn(frame) ? null : decoder.decodeCall(frame);
  const failed = frame.error !== undefined;
  const invocation: Invocation = {
    fromAddress: frame.from,
    address: frame.to ?? '',
    operation: frame.type,
    value: frame.isValueUnknown ? '' : toDecimal(frame.value),
    selector,
    callData: selector === '' || selector === FALLBACK ? frame.input : argumentsOf(frame.input),
    decodedMethod,
    methodDecoded: decodedMethod !== null,
    gasUsed: frame.gasUsed,
    id,
    output: frame.output === '0x' ? '' : frame.output,
    status: !failed,
    revert,
    revertMessage: failed ? decoder.failureText(frame) : '',
    errorInfo: frame.error ?? '',
  };
  if (decodedMethod === null && !isCreation(frame)) {
    const message = readableText(frame.input, decoder.hasNoCode(frame) ? SENT_TEXT : CALLED_TEXT);
    if (message !== undefined) invocation.message = message;
  }
  if (decodedMethod === null && selector !== FALLBACK && invocation.message === undefined) {
    const guessed = decoder.guessParams(frame);
    if (guessed) invocation.guessedParams = guessed;
  }
  return invocation;
}

const FALLBACK = 'fallback';

/** Least characters of a text that is sent to an account without code. */
const SENT_TEXT = 2;
/** Least characters of a text that a contract receives: shorter data of other kinds may look like a text. */
const CALLED_TEXT = 12;

/** Empty for frames that call no code. */
function selectorIn(frame: CallFrame, decoder: TraceDecoder): string {
  if (isCreation(frame) || frame.type === 'SELFDESTRUCT') return '';
  return decoder.calledSelector(frame) ?? FALLBACK;
}

function toEvent(
  id: number,
  log: Log,
  emitter: CallFrame,
  revert: boolean,
  decoder: TraceDecoder,
): Event {
  const decodedLog = decoder.decodeLog(log, emitter);
  return {
    contract: log.address,
    operation: 'EVENT',
    decodedLog: decodedLog ?? { name: '', signature: '', params: [] },
    logDecoded: decodedLog !== null,
    logData: log.data,
    topics: [...log.topics],
    id,
    status: !revert,
    revert,
  };
}

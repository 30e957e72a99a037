import type { CallFrame } from '../../server/analysis/call-frame';
import { TraceDecoder } from '../../server/analysis/decoding/trace-decoder';
import type { Identification } from '../../server/analysis/ports';
import { buildInvocationFlow } from '../../server/analysis/views/invocation-flow';
import { identification } from './analysis';

type Flow = ReturnType<typeof buildInvocationFlow>;
type FlowNode = Flow['dataMap'][string];
type Invocation = Extract<FlowNode, { nodeType: 0 }>['invocation'];
type Event = Extract<FlowNode, { nodeType: 1 }>['event'];

export const flowOf = (root: CallFrame, known: Identification = identification()): Flow =>
  buildInvocationFlow(root, new TraceDecoder(known));

/** The calls of a flow, in execution order. */
export const invocations = (root: CallFrame, known?: Identification): Invocation[] =>
  Object.values(flowOf(root, known).dataMap).flatMap((node) =>
    node.nodeType === 0 && node.invocation.id >= 0 ? [node.invocation] : [],
  );

/** The events of a flow, in execution order. */
export const events = (root: CallFrame, known?: Identification): Event[] =>
  Object.values(flowOf(root, known).dataMap).flatMap((node) =>
    node.nodeType === 1 ? [node.event] : [],
  );

import type { CallFrame } from '../../server/analysis/call-frame';
import { TraceDecoder } from '../../server/analysis/decoding/trace-decoder';
import type { Identification } from '../../server/analysis/ports';
import { buildInvocationFlow } from '../../server/analysis/views/invocation-flow';
import { identification } from './analysis';

export const flowOf = (root: CallFrame, known: Identification = identification()) =>
  buildInvocationFlow(root, new TraceDecoder(known));

/** The calls of a flow, in execution order. */
export const invocations = (root: CallFrame, known?: Identification) =>
  Object.values(flowOf(root, known).dataMap).flatMap((node) =>
    node.nodeType === 0 && node.invocation.id >= 0 ? [node.invocation] : [],
  );

/** The events of a flow, in execution order. */
export const events = (root: CallFrame, known?: Identification) =>
  Object.values(flowOf(root, known).dataMap).flatMap((node) =>
    node.nodeType === 1 ? [node.event] : [],
  );

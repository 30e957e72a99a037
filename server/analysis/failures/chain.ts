import { isCreation, type Step } from '../call-frame';
import { selectorOf } from '../decoding/call';
import type { TraceDecoder } from '../decoding/trace-decoder';
import type { FailedCall } from '../../api/summary';

/** The last call directly inside a call. */
function lastCallInside(steps: readonly Step[], { id, end }: Step): Step | undefined {
  let last: Step | undefined;
  for (let child = steps[id + 1]; child && child.id < end; child = steps[child.end]) {
    if (!child.log) last = child;
  }
  return last;
}

/**
 * The failed calls from the innermost to the top call: each failed, and was the last call of the one after it. Empty if the top call did
 * not fail.
 */
export function failureChain(steps: readonly Step[]): Step[] {
  const chain: Step[] = [];
  let at = steps[0];
  while (at?.frame.error !== undefined) {
    chain.unshift(at);
    at = lastCallInside(steps, at);
  }
  return chain;
}

/** Calls that failed although their caller went on, with the caller. */
export function swallowedFailures(steps: readonly Step[]): { call: Step; by: Step }[] {
  const swallowed: { call: Step; by: Step }[] = [];
  for (const call of steps) {
    if (call.log || call.frame.error === undefined) continue;
    const by = steps[call.parent];
    if (by && by.frame.error === undefined) swallowed.push({ call, by });
  }
  return swallowed;
}

const MAX_REASON = 500;
const MAX_NAME = 100;

/** A failed call in the interface's form. */
export function toFailedCall({ id, frame }: Step, decoder: TraceDecoder): FailedCall {
  const reason = decoder.failureText(frame) || (frame.error ?? '');
  return {
    nodeId: id,
    contract: frame.to ?? '',
    method: isCreation(frame) ? '' : methodOf(frame.input, decoder.decodeCall(frame)?.name),
    reason: reason.slice(0, MAX_REASON),
  };
}

const methodOf = (input: Step['frame']['input'], name: string | undefined): string =>
  (name ?? selectorOf(input) ?? '').slice(0, MAX_NAME);

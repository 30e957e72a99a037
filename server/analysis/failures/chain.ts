import { isCreation } from '../call-frame';
import { selectorOf } from '../decoding/call';
import type { TraceDecoder } from '../decoding/trace-decoder';
import type { FailedCall } from '../../api/summary';
import type { Place } from '../summary/places';

/** The last call directly inside a call. */
function lastCallInside(places: readonly Place[], { id, end }: Place): Place | undefined {
  let last: Place | undefined;
  for (let child = places[id + 1]; child && child.id < end; child = places[child.end]) {
    if (!child.log) last = child;
  }
  return last;
}

/**
 * The failed calls from the innermost to the top call: each failed, and was the last call of the one after it. Empty if the top call did
 * not fail.
 */
export function failureChain(places: readonly Place[]): Place[] {
  const chain: Place[] = [];
  let at = places[0];
  while (at?.frame.error !== undefined) {
    chain.unshift(at);
    at = lastCallInside(places, at);
  }
  return chain;
}

/** Calls that failed although their caller went on, with the caller. */
export function swallowedFailures(places: readonly Place[]): { call: Place; by: Place }[] {
  return places.flatMap((call) => {
    const by = places[call.parent];
    const isSwallowed =
      !call.log && call.frame.error !== undefined && by && by.frame.error === undefined;
    return isSwallowed ? { call, by } : [];
  });
}

const MAX_REASON = 500;
const MAX_NAME = 100;

/** A failed call in the interface's form. */
export function toFailedCall({ id, frame }: Place, decoder: TraceDecoder): FailedCall {
  const reason = decoder.revertMessage(frame) || (frame.error ?? '');
  return {
    nodeId: id,
    contract: frame.to ?? '',
    method: isCreation(frame) ? '' : methodOf(frame.input, decoder.decodeCall(frame)?.name),
    reason: reason.slice(0, MAX_REASON),
  };
}

const methodOf = (input: Place['frame']['input'], name: string | undefined): string =>
  (name ?? selectorOf(input) ?? '').slice(0, MAX_NAME);

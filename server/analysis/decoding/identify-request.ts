import type { Address, Hash, Hex } from '../../api/primitives';
import { executionSteps, isCreation, type CallFrame } from '../call-frame';
import { selectorOf } from './call';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { IdentifyRequest } from '../ports';

/** Collects the addresses, codes, selectors and topics of a trace that need an ABI, as interruptible work. */
export function* identifyRequestWork(
  root: CallFrame,
  block: IdentifyRequest['block'],
): Work<IdentifyRequest> {
  let done = 0;
  const addresses = new Set<Address>();
  const deployed = new Map<Address, Hex>();
  const initCodes = new Set<Hex>();
  const selectors = new Set<Hex>();
  const topics = new Set<Hash>();
  for (const { frame, log } of executionSteps(root)) {
    if (++done % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
    if (log) {
      addresses.add(log.address);
      if (log.topics[0] !== undefined) topics.add(log.topics[0]);
      continue;
    }
    const failure = frame.error === undefined ? undefined : selectorOf(frame.output);
    if (failure !== undefined) selectors.add(failure);
    if (frame.type === 'SELFDESTRUCT') continue;
    if (frame.to !== null) addresses.add(frame.to);
    if (isCreation(frame)) {
      initCodes.add(frame.input);
      if (frame.to !== null && frame.error === undefined) deployed.set(frame.to, frame.output);
    } else {
      const selector = selectorOf(frame.input);
      if (selector !== undefined) selectors.add(selector);
    }
  }
  return { addresses, deployed, initCodes, selectors, topics, block };
}

import type { Address, Hash, Hex } from '../api/primitives';
import { executionSteps, isCreation, type CallFrame } from './call-frame';
import { selectorOf } from './decode-call';
import type { IdentifyRequest } from './ports';

/** All that a trace needs to know about interfaces, collected in one pass. */
export function identifyRequest(root: CallFrame, block: IdentifyRequest['block']): IdentifyRequest {
  const addresses = new Set<Address>();
  const deployed = new Map<Address, Hex>();
  const initCodes = new Set<Hex>();
  const selectors = new Set<Hex>();
  const topics = new Set<Hash>();
  for (const { frame, log } of executionSteps(root)) {
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

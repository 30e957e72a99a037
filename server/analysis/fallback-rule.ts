import type { Hex } from '../api/primitives';
import { isLog, type CallFrame } from './call-frame';
import { selectorOf } from './decode-call';
import type { Contract } from './ports';

/**
 * Selector of the method that is called; undefined where the call data ends up in `fallback` or `receive`. Data that has a selector does
 * where the callee has no code or where its code holds the selector nowhere, unless it hands the data on (a proxy) or fails (then it may
 * have neither function).
 */
export function calledSelector(frame: CallFrame, contract: Contract | undefined): Hex | undefined {
  const selector = selectorOf(frame.input);
  return selector === undefined || reachesFallback(frame, selector, contract)
    ? undefined
    : selector;
}

function reachesFallback(frame: CallFrame, selector: Hex, contract: Contract | undefined): boolean {
  if (contract?.code === undefined || contract.implementation !== undefined) return false;
  if (contract.facets !== undefined) return false;
  const { code } = contract;
  if (code === '0x') return frame.items.length === 0;
  if (frame.error !== undefined || knownToHold(contract, code, selector)) return false;
  return forwardedCall(frame) === undefined;
}

/** The call below that got the same call data, as a proxy's DELEGATECALL does. */
export function forwardedCall(frame: CallFrame): CallFrame | undefined {
  for (const item of frame.items) {
    if (!isLog(item) && item.input === frame.input) return item;
  }
  return undefined;
}

/** Contract -> selector -> whether its code holds it: the same methods are called over and over. */
const held = new WeakMap<Contract, Map<Hex, boolean>>();

function knownToHold(contract: Contract, code: Hex, selector: Hex): boolean {
  let known = held.get(contract);
  if (!known) held.set(contract, (known = new Map<Hex, boolean>()));
  let holds = known.get(selector);
  if (holds === undefined) known.set(selector, (holds = holdsSelector(code, selector)));
  return holds;
}

/** Compilers write a selector with leading zero bytes by a shorter PUSH. */
export function holdsSelector(code: Hex, selector: Hex): boolean {
  const digits = selector.slice(2);
  if (code.includes(digits)) return true;
  const trimmed = digits.replace(/^(00)+/, '');
  if (trimmed === digits) return false;
  const push = 0x5f + trimmed.length / 2; // PUSH0 is 0x5f, PUSHn 0x5f + n
  return code.includes(push.toString(16) + trimmed);
}

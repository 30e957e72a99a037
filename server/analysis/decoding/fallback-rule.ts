import type { Hex } from '../../api/primitives';
import { isLog, type CallFrame } from '../call-frame';
import { selectorOf } from './call';
import { endsWithLength } from './trailing';
import type { Contract } from '../ports';

/**
 * Selector of the function that is called; undefined if the call reaches `fallback` or `receive`. A call whose data contains a selector
 * reaches them if the callee has no code, or if its code does not contain the selector. Exceptions are code that forwards the data (a
 * proxy), and a call that fails (the contract may have neither function).
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
  if (frame.error !== undefined || cachedContains(contract, code, selector)) return false;
  return forwardedCall(frame) === undefined;
}

/** The nested call with the same call data, such as a proxy's DELEGATECALL. A clone may append its immutable arguments. */
export function forwardedCall(frame: CallFrame): CallFrame | undefined {
  for (const item of frame.items) {
    if (isLog(item)) continue;
    if (item.input === frame.input || isExtended(item, frame)) return item;
  }
  return undefined;
}

const isExtended = ({ type, input }: CallFrame, frame: CallFrame): boolean =>
  type === 'DELEGATECALL' &&
  input.startsWith(frame.input) &&
  endsWithLength(input.slice(frame.input.length));

/** Contract -> selector -> whether the code contains it: the same functions are called over and over. */
const containsCache = new WeakMap<Contract, Map<Hex, boolean>>();

function cachedContains(contract: Contract, code: Hex, selector: Hex): boolean {
  let known = containsCache.get(contract);
  if (!known) containsCache.set(contract, (known = new Map<Hex, boolean>()));
  let contains = known.get(selector);
  if (contains === undefined) known.set(selector, (contains = containsSelector(code, selector)));
  return contains;
}

/** Compilers push a selector with leading zero bytes by a shorter PUSH. */
export function containsSelector(code: Hex, selector: Hex): boolean {
  const digits = selector.slice(2);
  if (code.includes(digits)) return true;
  const trimmed = digits.replace(/^(00)+/, '');
  if (trimmed === digits) return false;
  const push = 0x5f + trimmed.length / 2; // PUSH0 is 0x5f, PUSHn 0x5f + n
  return code.includes(push.toString(16) + trimmed);
}

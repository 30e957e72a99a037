import { abiData, calldataReference } from '../values/calldata-values';
import { memoryReference } from '../values/memory-values';
import type { State } from '../values/state';
import { isReference } from '../values/types';
import { Unavailable } from '../../port/unavailable';
import { orMissing, UNKNOWN_TYPE, type Value } from '../values/value';
import { cleanWord, wordFault } from '../values/words';
import type { StackVariable } from './symbolic-stack';

/**
 * The value of a variable on the stack; missing where its words are no value of its type.
 * @param stack of the state's frame, or as it was where the words were put there
 */
export function stackValue(
  state: State,
  { type, location, slot, words }: StackVariable,
  stack: readonly bigint[] = state.frame.stack,
): Value {
  if (!type) return { kind: 'missing', type: UNKNOWN_TYPE, reason: 'its type is not known' };
  const [first = 0n, second = 0n] = stack.slice(slot, slot + words);
  const origin = { in: 'stack' } as const;
  const read = (): Value => {
    if (!isReference(type)) {
      const word = cleanWord(type, words === 2 ? (first << 32n) | second : first);
      const fault = wordFault(type, word);
      if (fault !== undefined) throw new Unavailable(fault);
      return { kind: 'word', type, word, origin };
    }
    if (location === 'memory') return memoryReference(state, type, first);
    if (location === 'calldata') {
      return calldataReference(
        abiData(state, undefined),
        type,
        first,
        words === 2 ? second : undefined,
      );
    }
    if (location !== 'storage') throw new Unavailable('its location is unknown');
    const { address } = state.frame.context;
    const place = { in: 'storage', address, slot: first, offset: 0 } as const;
    return { kind: 'reference', type, place };
  };
  return orMissing(type, read, origin);
}

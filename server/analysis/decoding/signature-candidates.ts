import type { Fragment, ParamType } from 'ethers';
import { isGuess, type DecodeSource } from '../../api/decoding';
import type { Trailing } from '../../api/trailing';
import type { Hex } from '../../api/primitives';
import { decodeExactly, decodeLeading } from '../abi-values/codec';
import { trailingParts, type CallFacts } from './trailing';

/** A fragment that may describe the data, with its source. */
export interface Candidate<F extends Fragment = Fragment> {
  readonly fragment: F;
  readonly source: DecodeSource;
}

/** A candidate whose types encode the values to the same bytes. */
export interface Fit<F extends Fragment = Fragment> extends Candidate<F> {
  readonly values: NonNullable<ReturnType<typeof decodeExactly>>;
}

export const MAX_ALTERNATIVES = 5;

/** The candidates that fit the data, in their order, including those of equal signature. Lazy: most callers use only the first. */
export function* fits<F extends Fragment>(
  candidates: Iterable<Candidate<F>>,
  data: Hex,
  typesOf: (fragment: F) => readonly ParamType[] = (fragment) => fragment.inputs,
): Generator<Fit<F>, void, undefined> {
  for (const candidate of candidates) {
    const values = decodeExactly(typesOf(candidate.fragment), data);
    if (values) yield { ...candidate, values };
  }
}

/** A candidate whose types encode the values to the bytes at the start of the data. */
export interface LeadingFit<F extends Fragment = Fragment> extends Fit<F> {
  readonly trailing: Trailing[];
}

/**
 * The candidates whose arguments are followed by other bytes, in their order. A signature that only its selector supports, and that has no
 * arguments, would fit anything: it needs bytes of a known kind, or more arguments than other bytes.
 * @param from index of the first digit of the arguments
 */
export function* leadingFits<F extends Fragment>(
  candidates: Iterable<Candidate<F>>,
  data: Hex,
  from: number,
  factsOf?: () => CallFacts,
): Generator<LeadingFit<F>, void, undefined> {
  for (const candidate of candidates) {
    const leading = decodeLeading(candidate.fragment.inputs, data, from);
    if (!leading || leading.end === data.length) continue;
    const { values, end } = leading;
    const trailing = trailingParts(data, end, factsOf?.());
    const isKnownKind = trailing.every(({ kind }) => kind !== 'unknown');
    if (isGuess(candidate.source) && !isKnownKind && data.length - end >= end - from) continue;
    yield { ...candidate, values, trailing };
  }
}

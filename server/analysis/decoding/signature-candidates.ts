import type { Fragment, ParamType } from 'ethers';
import type { DecodeSource } from '../../api/decoding';
import type { Hex } from '../../api/primitives';
import { decodeExactly } from '../abi-values/codec';

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

import { ErrorFragment, type EventFragment, type Fragment, type FunctionFragment } from 'ethers';
import type { Decoding } from '../../api/decode';
import type { Param } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import type { AbiValues } from '../abi-values/abi-reader';
import { decodeExactly, signatureOf, toParams } from '../abi-values/codec';
import type { Identification } from '../ports';
import { argumentsOf } from './call';
import { decodeRevert } from './revert';
import { leadingFits, type Candidate } from './signature-candidates';
import { TraceDecoder } from './trace-decoder';

/** The errors of the language itself (Solidity documentation, "Panic via assert and Error via require"). */
const LANGUAGE_ERRORS: readonly Candidate<ErrorFragment>[] = [
  'error Error(string message)',
  'error Panic(uint256 code)',
].map((text) => ({ fragment: ErrorFragment.from(text), source: 'built-in' }));

/**
 * The signatures that data may belong to: first those whose arguments encode to the same bytes, each group the most trustworthy first.
 * @param to contract that is called, or that failed; null if unknown
 */
export function decodingsOf(data: Hex, known: Identification, to: Address | null): Decoding[] {
  const decoder = new TraceDecoder(known);
  const { calls, errors, events } = decoder.candidatesFor(data, to);
  const selector = data.slice(0, 10);
  const language = LANGUAGE_ERRORS.filter(({ fragment }) => fragment.selector === selector);
  const paramsOfCall = (fragment: FunctionFragment, values: AbiValues): Param[] =>
    decoder.paramsOf(fragment, values, to);
  const all = [
    ...language.map((one) => errorDecoding(data, one)),
    ...calls.map((one): Decoding => {
      const params = paramsOf(data, one.fragment, (values) => paramsOfCall(one.fragment, values));
      if (params !== null) return { kind: 'call', ...facts(one), params, text: '' };
      const [longer] = leadingFits([one], data, selector.length);
      if (!longer) return { kind: 'call', ...facts(one), params, text: '' };
      const { fragment, values, trailing } = longer;
      const leading = paramsOfCall(fragment, values);
      return { kind: 'call', ...facts(one), params: leading, text: '', trailing };
    }),
    ...errors.map((one) => errorDecoding(data, one)),
    ...events.map((one): Decoding => ({ kind: 'event', ...facts(one), params: null, text: '' })),
  ];
  const distinct = all.filter(
    ({ kind, signature }, index) =>
      all.findIndex((one) => one.kind === kind && one.signature === signature) === index,
  );
  return [
    ...distinct.filter(({ params, trailing }) => params !== null && !trailing),
    ...distinct.filter(({ trailing }) => trailing),
    ...distinct.filter(({ params }) => params === null),
  ];
}

function errorDecoding(data: Hex, candidate: Candidate<ErrorFragment>): Decoding {
  const { fragment } = candidate;
  const params = paramsOf(data, fragment, (values) => toParams(fragment.inputs, values));
  const text = params === null ? '' : (decodeRevert(data, () => [fragment]) ?? '');
  return { kind: 'error', ...facts(candidate), params, text };
}

function paramsOf(
  data: Hex,
  { inputs }: Fragment,
  read: (values: AbiValues) => Param[],
): Param[] | null {
  const values = decodeExactly(inputs, argumentsOf(data));
  return values === undefined ? null : read(values);
}

function facts({ fragment, source }: Candidate<ErrorFragment | EventFragment | FunctionFragment>) {
  return {
    name: fragment.name,
    signature: signatureOf(fragment),
    // The library writes `tuple(` where Solidity's own notation, and other libraries', has a bracket.
    declaration: fragment.format('full').replaceAll('tuple(', '('),
    source,
  };
}

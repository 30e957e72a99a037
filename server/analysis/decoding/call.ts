import type { FunctionFragment } from 'ethers';
import type { DecodedMethod, DecodeSource, Param } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import type { AbiValues } from '../abi-values/abi-reader';
import type { CallFrame } from '../call-frame';
import { fits, leadingFits, MAX_ALTERNATIVES, type Candidate } from './signature-candidates';
import type { CallFacts } from './trailing';
import { decodeExactly, toParams, signatureOf } from '../abi-values/codec';
import type { CreationCode } from '../ports';

/** Length of `0x` and a selector, in characters. */
export const SELECTOR_LENGTH = 10;

/** The first four bytes; undefined if the data is shorter. */
export const selectorOf = (data: Hex): Hex | undefined =>
  data.length < SELECTOR_LENGTH ? undefined : (data.slice(0, SELECTOR_LENGTH) as Hex);

/** The data after the selector. */
export const argumentsOf = (data: Hex): Hex => `0x${data.slice(SELECTOR_LENGTH)}`;

/** Formats the decoded arguments of a call to an address. */
export type CallParams = (
  fragment: FunctionFragment,
  values: AbiValues,
  callee: Address | null,
) => Param[];

const plainParams: CallParams = ({ inputs }, values) => toParams(inputs, values);

/** Sources that contain arguments only, so that an empty output proves nothing for them. */
const WITHOUT_OUTPUTS: ReadonlySet<DecodeSource> = new Set(['4byte']);

/**
 * Decodes a call with the candidate of the best source whose arguments fit. If a source has several, the first whose return types fit the
 * output as well wins. If none fits the output, the return parameters stay empty. If no arguments fit, those that other bytes follow do.
 * @param candidates the most trustworthy first
 * @param factsOf what is known of a call whose arguments other bytes follow
 */
export function decodeCall(
  frame: CallFrame,
  candidates: readonly Candidate<FunctionFragment>[],
  callParams = plainParams,
  factsOf?: () => CallFacts,
): DecodedMethod | null {
  let best: Candidate<FunctionFragment> | undefined;
  let args: AbiValues | undefined;
  let returned: Param[] | undefined;
  for (const candidate of candidates) {
    if (best && candidate.source !== best.source) break;
    const values = decodeExactly(candidate.fragment.inputs, frame.input, SELECTOR_LENGTH);
    if (!values) continue;
    returned = returnParams(frame, candidate);
    if (best && !returned) continue;
    [best, args] = [candidate, values];
    if (returned) break;
  }
  if (!best || !args) return decodeLonger(frame, candidates, callParams, factsOf);
  const signature = signatureOf(best.fragment);
  const method: DecodedMethod = {
    name: best.fragment.name,
    signature,
    callParams: callParams(best.fragment, args, frame.to),
    returnParams: returned ?? [],
    constructorArguments: '',
    source: best.source,
  };
  const alternatives = alternativesTo(signature, frame, candidates);
  if (alternatives.length > 0) method.alternatives = alternatives;
  return method;
}

/** Decodes a call whose arguments other bytes follow. */
function decodeLonger(
  frame: CallFrame,
  candidates: readonly Candidate<FunctionFragment>[],
  callParams: CallParams,
  factsOf: (() => CallFacts) | undefined,
): DecodedMethod | null {
  const longer = leadingFits(candidates, frame.input, SELECTOR_LENGTH, factsOf);
  for (const fit of longer) {
    const { fragment, source, values, trailing } = fit;
    return {
      name: fragment.name,
      signature: signatureOf(fragment),
      callParams: callParams(fragment, values, frame.to),
      returnParams: returnParams(frame, fit) ?? [],
      constructorArguments: '',
      source,
      trailing,
    };
  }
  return null;
}

/** Undefined if the output does not have the fragment's types. The output of a failed frame is untyped, so its list is empty. */
function returnParams(
  frame: CallFrame,
  { fragment, source }: Candidate<FunctionFragment>,
): Param[] | undefined {
  if (frame.error !== undefined) return [];
  if (WITHOUT_OUTPUTS.has(source)) return undefined;
  const values = decodeExactly(fragment.outputs, frame.output);
  return values && toParams(fragment.outputs, values);
}

/** Other signatures that fit. Most selectors have only one signature, which costs nothing here. */
function alternativesTo(
  signature: string,
  frame: CallFrame,
  candidates: readonly Candidate<FunctionFragment>[],
): NonNullable<DecodedMethod['alternatives']> {
  if (candidates.length === 1) return [];
  const others = new Map<string, Candidate<FunctionFragment>>();
  for (const candidate of candidates) {
    const other = signatureOf(candidate.fragment);
    if (other !== signature && !others.has(other)) others.set(other, candidate);
  }
  if (others.size === 0) return [];
  return [...fits(others.values(), argumentsOf(frame.input))]
    .slice(0, MAX_ALTERNATIVES)
    .map(({ fragment, source }) => ({ signature: signatureOf(fragment), source }));
}

/** Decodes the constructor's arguments, which follow known creation code. */
export function decodeCreation(frame: CallFrame, creation: CreationCode): DecodedMethod | null {
  const encoded: Hex = `0x${frame.input.slice(2 + creation.argumentsOffset * 2)}`;
  const inputs = creation.interface.constructorInputs;
  const values = decodeExactly(inputs, encoded);
  if (!values) return null;
  return {
    name: 'constructor',
    signature: `constructor(${inputs.map((input) => input.format('sighash')).join(',')})`,
    callParams: toParams(inputs, values),
    returnParams: [],
    constructorArguments: encoded,
    source: creation.interface.source,
  };
}

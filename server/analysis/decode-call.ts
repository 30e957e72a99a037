import type { FunctionFragment } from 'ethers';
import type { DecodedMethod, Param } from '../api/explorer';
import type { Hex } from '../api/primitives';
import type { CallFrame } from './call-frame';
import { decodeExactly, toParams } from './codec';
import type { CreationCode } from './ports';

/** Hex digits of a selector with its `0x`. */
const SELECTOR_LENGTH = 10;

/** First four bytes; undefined where there are fewer. */
export const selectorOf = (data: Hex): Hex | undefined =>
  data.length < SELECTOR_LENGTH ? undefined : (data.slice(0, SELECTOR_LENGTH) as Hex);

/** What follows the selector. */
export const argumentsOf = (data: Hex): Hex => `0x${data.slice(SELECTOR_LENGTH)}`;

/**
 * Decodes a call by the first fragment that fits its arguments and its output; where none fits both, by the first that fits
 * the arguments, without return parameters.
 */
export function decodeCall(
  frame: CallFrame,
  fragments: readonly FunctionFragment[],
): DecodedMethod | null {
  const data = argumentsOf(frame.input);
  let argumentsOnly: DecodedMethod | null = null;
  for (const fragment of fragments) {
    const values = decodeExactly(fragment.inputs, data);
    if (!values) continue;
    const returned = returnParams(frame, fragment);
    const decoded: DecodedMethod = {
      name: fragment.name,
      signature: fragment.format('sighash'),
      callParams: toParams(fragment.inputs, values),
      returnParams: returned ?? [],
      constructorArguments: '',
    };
    if (returned) return decoded;
    argumentsOnly ??= decoded;
  }
  return argumentsOnly;
}

/** Undefined where the output is not of the fragment's types. A failed frame returns nothing that has types. */
function returnParams(frame: CallFrame, fragment: FunctionFragment): Param[] | undefined {
  if (frame.error !== undefined) return [];
  const values = decodeExactly(fragment.outputs, frame.output);
  return values && toParams(fragment.outputs, values);
}

/** Decodes the constructor's arguments behind known creation code. */
export function decodeCreation(frame: CallFrame, creation: CreationCode): DecodedMethod | null {
  const encoded: Hex = `0x${frame.input.slice(2 + creation.argumentsOffset * 2)}`;
  const inputs = creation.interface.constructorInputs;
  const values = decodeExactly(inputs, encoded);
  return (
    (values && {
      name: 'constructor',
      signature: `constructor(${inputs.map((input) => input.format('sighash')).join(',')})`,
      callParams: toParams(inputs, values),
      returnParams: [],
      constructorArguments: encoded,
    }) ??
    null
  );
}

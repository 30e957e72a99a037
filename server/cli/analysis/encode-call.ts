import { MAX_WORD } from '../../api/word';
import { encodeFunctionData, type AbiFunction } from 'viem';
import { parseArgument, parseInteger } from '../../client/abi-argument';
import { parseSignature } from '../../client/abi-signature';
import { UsageError, wrongValue } from '../errors/usage-error';

const SIGNATURE = 'a signature such as "transfer(address,uint256)"';

/**
 * Encodes a function call, with the same arguments as `cast`.
 * @param signature `name(types)`, optionally followed by `(types)` for the results
 * @param args one text for each parameter; arrays and tuples as JSON
 * @throws UsageError that names the argument, its value and what its type accepts
 */
export function encodeCall(signature: string, args: readonly string[]): `0x${string}` {
  const item = functionOf(signature);
  const { inputs, name } = item;
  if (inputs.length !== args.length) {
    throw new UsageError(
      `[args...] has ${args.length} values; accepted: ${inputs.length}, as ${signature} says`,
    );
  }
  const values = inputs.map((input, index) => {
    const text = args[index] ?? '';
    try {
      return parseArgument(input, text);
    } catch (error) {
      const accepted = (error as Error).message.replace(/^Enter (.*)\.$/, '$1');
      const label = input.name ? `argument ${input.name}` : `argument ${index + 1}`;
      throw wrongValue(`${label} (${input.type})`, text, accepted);
    }
  });
  return encodeFunctionData({ abi: [item], functionName: name, args: values });
}

function functionOf(signature: string): AbiFunction {
  const item = parseSignature(signature, 'function');
  if (item?.type === 'function') return item;
  throw wrongValue('[signature]', signature, SIGNATURE);
}

/** Wei from `1.5ether`, `20gwei`, decimal or 0x hex. @throws UsageError */
export function weiOf(text: string): bigint {
  const wei = parseInteger(text.trim());
  if (wei !== undefined && wei >= 0n && wei <= MAX_WORD) return wei;
  throw wrongValue('--value', text, 'wei, or an amount with a unit such as 1.5ether or 20gwei');
}

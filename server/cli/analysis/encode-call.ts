import { encodeFunctionData, parseAbiItem, type AbiFunction } from 'viem';
import { parseArgument, parseInteger } from '../../client/abi-argument';
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
  const [, name, inputs, outputs] =
    /^\s*(?:function\s+)?(\w+)\s*(\(.*?\))(?:\s*(?:returns\s*)?(\(.*\)))?\s*$/.exec(
      balanced(signature),
    ) ?? [];
  if (name === undefined || inputs === undefined)
    throw wrongValue('[signature]', signature, SIGNATURE);
  const open = inputs.replaceAll('\u0001', '(').replaceAll('\u0002', ')');
  const returns = outputs?.replaceAll('\u0001', '(').replaceAll('\u0002', ')');
  try {
    const item = parseAbiItem(
      `function ${name}${open}${returns === undefined ? '' : ` returns ${returns}`}`,
    );
    if (item.type === 'function') return item;
  } catch {
    // The error below replaces the parser's own message, which has several lines.
  }
  throw wrongValue('[signature]', signature, SIGNATURE);
}

/** Replaces inner brackets, so that a pattern can find the outer ones. */
function balanced(text: string): string {
  let depth = 0;
  return text.replace(/[()]/g, (bracket) => {
    if (bracket === '(') return ++depth > 1 ? '\u0001' : '(';
    return depth-- > 1 ? '\u0002' : ')';
  });
}

/** Wei from `1.5ether`, `20gwei`, decimal or 0x hex. @throws UsageError */
export function weiOf(text: string): bigint {
  const wei = parseInteger(text.trim());
  if (wei !== undefined && wei >= 0n && wei < 2n ** 256n) return wei;
  throw wrongValue('--value', text, 'wei, or an amount with a unit such as 1.5ether or 20gwei');
}

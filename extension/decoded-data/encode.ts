import * as l10n from '@vscode/l10n';
import { encodeErrorResult, encodeFunctionData, type AbiFunction, type AbiParameter } from 'viem';
import { invalidField } from '../../server/api/errors';
import type { Hex } from '../../server/api/primitives';
import { parseArgument } from '../../server/client/abi-argument';
import { parseSignature, type AbiError } from '../../server/client/abi-signature';

const SIGNATURE = l10n.t('a signature such as transfer(address to, uint256 amount)');

/** A function or an error that data can belong to. */
export type EncodedItem = AbiFunction | AbiError;

/** @throws ApiError `invalidField` */
export function itemOf(signature: string): EncodedItem {
  const item = parseSignature(signature, 'function');
  if (item === undefined || item.type === 'event') {
    throw invalidField('signature', signature, SIGNATURE);
  }
  return item;
}

/**
 * Call data of a function, or revert data of an error.
 * @param values one for each parameter: texts, or JSON where the type is an array or a tuple
 * @throws ApiError `invalidField` that names the argument and what its type accepts
 */
export function encode(item: EncodedItem, values: readonly unknown[]): Hex {
  const { inputs, name } = item;
  if (inputs.length !== values.length) {
    const accepted = l10n.t('{0} values, as {1} says', inputs.length, name);
    throw invalidField('arguments', values.length, accepted);
  }
  const args = inputs.map((input, index) => argumentOf(input, values[index], index));
  return item.type === 'error'
    ? encodeErrorResult({ abi: [item], errorName: name, args })
    : encodeFunctionData({ abi: [item], functionName: name, args });
}

function argumentOf(input: AbiParameter, value: unknown, index: number) {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  try {
    return parseArgument(input, text);
  } catch (error) {
    const accepted = (error as Error).message.replace(/^Enter (.*)\.$/, '$1');
    const name = input.name ?? '';
    throw invalidField(`arguments.${name === '' ? index : name}`, value, accepted);
  }
}

/** The value with which an argument starts that nobody has entered yet. */
export function emptyValue(input: AbiParameter): unknown {
  const { type } = input;
  const [, element, count] = /^(.*)\[(\d*)\]$/.exec(type) ?? [];
  if (element !== undefined) {
    return Array.from({ length: Number(count) }, () => emptyValue({ ...input, type: element }));
  }
  if (type === 'tuple' && 'components' in input) return input.components.map(emptyValue);
  if (type === 'address') return `0x${'0'.repeat(40)}`;
  if (type === 'bool') return 'false';
  if (type === 'string') return '';
  const bytes = /^bytes(\d*)$/.exec(type)?.[1];
  return bytes === undefined ? '0' : `0x${'00'.repeat(Number(bytes))}`;
}

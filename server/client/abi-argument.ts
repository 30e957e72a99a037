import * as l10n from '@vscode/l10n';
import { encodeAbiParameters, type AbiParameter } from 'viem';

type Value = string | boolean | bigint | Value[] | { [name: string]: Value };

/**
 * Parses a typed argument: integers in decimal (with `_` between digits), in hex or as `1.5 ether`; `true` and `false`; bytes and addresses
 * in hex; strings unchanged; arrays and structs as JSON.
 * @throws Error with a sentence about what the type accepts
 */
export function parseArgument(parameter: AbiParameter, text: string): Value {
  const value = parseValue(parameter, parameter.type === 'string' ? text : text.trim());
  try {
    encodeAbiParameters([parameter], [value]);
  } catch (error) {
    throw new Error(acceptedBy(parameter), { cause: error });
  }
  return value;
}

/** The fault of an argument; undefined if it is valid. */
export function argumentProblem(parameter: AbiParameter, text: string): string | undefined {
  try {
    parseArgument(parameter, text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function parseValue(parameter: AbiParameter, text: string): Value {
  if (isCompound(parameter.type)) return toValue(parameter, parseJson(parameter, text));
  return toValue(parameter, text);
}

/** @param json the user's text, or a part of the user's JSON */
function toValue(parameter: AbiParameter, json: unknown): Value {
  const { type } = parameter;
  const element = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (element !== undefined) {
    if (!Array.isArray(json)) throw new Error(acceptedBy(parameter));
    return json.map((item) => toValue({ ...parameter, type: element }, item));
  }
  if (type === 'tuple') return toStruct(parameter, json);
  const text = typeof json === 'number' || typeof json === 'boolean' ? String(json) : json;
  if (typeof text !== 'string') throw new Error(acceptedBy(parameter));
  if (type === 'bool') {
    if (text !== 'true' && text !== 'false') throw new Error(acceptedBy(parameter));
    return text === 'true';
  }
  if (/^u?int/.test(type)) {
    const integer = parseInteger(text);
    if (integer === undefined) throw new Error(acceptedBy(parameter));
    return integer;
  }
  // The encoder also accepts an odd number of digits.
  if (type.startsWith('bytes') && !/^0x([0-9a-f]{2})*$/i.test(text)) {
    throw new Error(acceptedBy(parameter));
  }
  // Lower case, because the encoder rejects a wrong checksum, and copied addresses often have one.
  return type === 'address' ? text.toLowerCase() : text;
}

function toStruct(parameter: AbiParameter, json: unknown): Value {
  const components = 'components' in parameter ? parameter.components : [];
  if (typeof json !== 'object' || json === null) throw new Error(acceptedBy(parameter));
  const isList = Array.isArray(json);
  const values = components.map((component, index): [string, Value] => {
    const name = component.name ?? '';
    const member = isList ? (json[index] as unknown) : (json as Record<string, unknown>)[name];
    if (member === undefined) throw new Error(acceptedBy(parameter));
    return [name, toValue(component, member)];
  });
  return components.every(({ name }) => name)
    ? Object.fromEntries(values)
    : values.map(([, value]) => value);
}

const UNITS: Readonly<Record<string, number>> = { wei: 0, gwei: 9, ether: 18 };

/** @returns undefined if the text is not an integer after applying its unit */
export function parseInteger(text: string): bigint | undefined {
  const plain = text.replaceAll('_', '');
  if (/^(-?\d+|0x[0-9a-f]+)$/i.test(plain)) return BigInt(plain);
  const [, whole = '', fraction = '', unit = ''] =
    /^(-?\d+)(?:\.(\d+))? ?(wei|gwei|ether)$/.exec(plain) ?? [];
  const digits = UNITS[unit];
  if (digits === undefined || fraction.length > digits) return undefined;
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

const isCompound = (type: string): boolean => type.endsWith(']') || type.startsWith('tuple');

function parseJson(parameter: AbiParameter, text: string): unknown {
  try {
    // Quotes numbers beyond 2^53, which would lose digits.
    return JSON.parse(text.replace(/(?<=[[,:]\s*)-?\d{16,}(?=\s*[,\]}])/g, '"$&"'));
  } catch (error) {
    throw new Error(acceptedBy(parameter), { cause: error });
  }
}

/** A sentence about what a parameter accepts, for prompts and errors. */
export function acceptedBy(parameter: AbiParameter): string {
  return l10n.t('Enter {0}.', wordsOf(parameter));
}

function wordsOf(parameter: AbiParameter): string {
  const { type } = parameter;
  const [, base = '', size] = /^([a-z]+)(\d*)$/.exec(type) ?? [];
  if (type.endsWith(']')) return l10n.t('a JSON list for {0}, such as ["…", "…"]', type);
  if (type === 'tuple') {
    const names = 'components' in parameter ? parameter.components.map(({ name }) => name) : [];
    return l10n.t('a JSON object with {0}', names.join(', '));
  }
  if (base === 'uint')
    return l10n.t('a whole number from 0 to 2^{0} - 1, or such as 1.5 ether', size ?? '');
  if (base === 'int') return l10n.t('a whole number of {0} bits, or such as 1.5 ether', size ?? '');
  if (base === 'bool') return l10n.t('true or false');
  if (base === 'address') return l10n.t('an address: 0x and 40 hex digits');
  if (base === 'string') return l10n.t('text');
  return size === '' || size === undefined
    ? l10n.t('bytes: 0x and an even number of hex digits')
    : l10n.t('{0} bytes: 0x and {1} hex digits', size, Number(size) * 2);
}

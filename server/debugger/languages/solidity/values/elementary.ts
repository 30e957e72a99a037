import { BYTES, STRING, type SolidityType } from './types';

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['uint', 'uint256'],
  ['int', 'int256'],
  ['byte', 'bytes1'],
]);

/** The elementary type of a name such as `uint8` or `address payable`; undefined for other names. */
export function elementaryType(text: string): SolidityType | undefined {
  const name = ALIASES.get(text) ?? text;
  if (name === 'bool') return { kind: 'bool' };
  if (name === 'address') return { kind: 'address', isPayable: false };
  if (name === 'address payable') return { kind: 'address', isPayable: true };
  if (name === 'bytes') return BYTES;
  if (name === 'string') return STRING;
  const [, kind, digits] = /^(uint|int|bytes)([1-9]\d{0,2})$/.exec(name) ?? [];
  const size = Number(digits);
  if (kind === 'bytes' && size <= 32) return { kind: 'fixedBytes', length: size };
  const isNumber = (kind === 'uint' || kind === 'int') && size <= 256 && size % 8 === 0;
  return isNumber ? { kind, bits: size } : undefined;
}

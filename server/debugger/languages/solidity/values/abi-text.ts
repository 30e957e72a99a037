import { ParamType } from 'ethers';
import { bytesText } from './words';

/**
 * A decoded argument as the debugger writes values: `"text"`, `hex"…"` for `bytes`, `[1, 2]`, `{x: 1, y: 2}`, and `(1, 2)` for a tuple whose
 * components have no names.
 * @param type canonical ABI type
 * @param value as decoded: plain, or JSON for arrays and tuples
 */
export function abiText(type: string, value: string): string {
  const parameter = ParamType.from(type);
  return textOf(parameter, isWhole(parameter) ? (JSON.parse(value) as unknown) : value);
}

const isWhole = (type: ParamType): boolean => type.isArray() || type.isTuple();

function textOf(type: ParamType, value: unknown): string {
  if (type.isArray() && Array.isArray(value)) {
    return `[${value.map((item) => textOf(type.arrayChildren, item)).join(', ')}]`;
  }
  const { components } = type;
  if (components && typeof value === 'object' && value !== null) {
    // Names are those of the value: a canonical type has none.
    const items = Object.entries(value).map(([name, item], index) => {
      const text = textOf(components[index] ?? ParamType.from('string'), item);
      return Array.isArray(value) ? text : `${name}: ${text}`;
    });
    return Array.isArray(value) ? `(${items.join(', ')})` : `{${items.join(', ')}}`;
  }
  const plain = String(value);
  if (type.type === 'string') return bytesText('string', Buffer.from(plain));
  return type.type === 'bytes' ? bytesText('bytes', Buffer.from(plain.slice(2), 'hex')) : plain;
}

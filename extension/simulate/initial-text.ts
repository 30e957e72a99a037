import type { AbiParameter } from 'viem';

/** A value that a parameter accepts, for a field that nothing is known of; empty for a struct, whose members are asked for. */
export function initialText({ type }: AbiParameter): string {
  const [, base = '', size = ''] = /^([a-z]+)(\d*)$/.exec(type) ?? [];
  if (type.endsWith('[]')) return '[]';
  if (base === 'uint' || base === 'int') return '0';
  if (base === 'bool') return 'false';
  if (base === 'address') return `0x${'0'.repeat(40)}`;
  return base === 'bytes' ? `0x${'00'.repeat(Number(size))}` : '';
}

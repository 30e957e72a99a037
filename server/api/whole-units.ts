/** Converts an amount in the smallest unit to a plain decimal in whole units, without trailing zeros. */
export function inUnits(raw: string, decimals: number): string {
  if (decimals === 0) return raw;
  const digits = raw.padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, -decimals) : `${digits.slice(0, -decimals)}.${fraction}`;
}

/** Exact product of two plain decimals; empty if one of them is invalid. */
export function multiplied(one: string, other: string): string {
  const [left, right] = [one, other].map((decimal) => /^(\d+)(?:\.(\d+))?$/.exec(decimal));
  if (!left || !right) return '';
  const digits = (parts: RegExpExecArray): bigint => BigInt(`${parts[1] ?? ''}${parts[2] ?? ''}`);
  return inUnits(
    String(digits(left) * digits(right)),
    (left[2] ?? '').length + (right[2] ?? '').length,
  );
}

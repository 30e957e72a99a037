import { ADDRESS } from '../values/types';
import { ExpressionError } from './expression-error';
import { literal, word, type Operand } from './operands';
import type { Expression } from './parse';

const SECONDS: Readonly<Record<string, bigint>> = {
  ...{ seconds: 1n, minutes: 60n, hours: 3_600n, days: 86_400n, weeks: 604_800n },
  years: 31_536_000n,
};
const WEI: Readonly<Record<string, bigint>> = {
  ...{ wei: 1n, gwei: 10n ** 9n, szabo: 10n ** 12n, finney: 10n ** 15n, ether: 10n ** 18n },
};
const MAX_EXPONENT = 1_000;
const ADDRESS_LITERAL = /^0x[0-9a-f]{40}$/i;

/** @throws ExpressionError */
export function numberLiteral(expression: Extract<Expression, { kind: 'number' }>): Operand {
  const { text, unit, at } = expression;
  const factor = unit === undefined ? 1n : (SECONDS[unit] ?? WEI[unit] ?? 1n);
  if (/^0x/i.test(text)) {
    if (ADDRESS_LITERAL.test(text) && unit === undefined) return word(ADDRESS, BigInt(text));
    return literal(BigInt(text) * factor, 1n, text.length - 2);
  }
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  if (Math.abs(power) > MAX_EXPONENT) {
    throw new ExpressionError(`${text} has an exponent beyond ${MAX_EXPONENT}`, at);
  }
  const digits = BigInt(`${whole}${fraction}`) * factor;
  const scale = 10n ** BigInt(Math.abs(power));
  return power < 0 ? literal(digits, scale) : literal(digits * scale);
}

import { getAddress } from 'ethers';
import { ADDRESS, type ValueType } from '../values/types';
import { ExpressionError } from '../../port/expression-error';
import { literal, word, type Literal, type Operand } from './operands';
import type { Expression } from './parse';

const SECONDS: Readonly<Record<string, bigint>> = {
  seconds: 1n,
  minutes: 60n,
  hours: 3_600n,
  days: 86_400n,
  weeks: 604_800n,
  years: 31_536_000n,
};
const WEI: Readonly<Record<string, bigint>> = {
  wei: 1n,
  gwei: 10n ** 9n,
  szabo: 10n ** 12n,
  finney: 10n ** 15n,
  ether: 10n ** 18n,
};
const MAX_EXPONENT = 1_000;
const ADDRESS_LITERAL = /^0x[0-9a-f]{40}$/i;

/** @throws ExpressionError */
export function numberLiteral(expression: Extract<Expression, { kind: 'number' }>): Operand {
  const { text, unit, at } = expression;
  const factor = unit === undefined ? 1n : (SECONDS[unit] ?? WEI[unit] ?? 1n);
  if (/^0x/i.test(text)) {
    if (unit !== undefined) {
      throw new ExpressionError(`${text} is hexadecimal; accepted before ${unit} are decimals`, at);
    }
    return ADDRESS_LITERAL.test(text)
      ? word(ADDRESS, addressOf(text, at))
      : literal(BigInt(text), 1n, text.length - 2);
  }
  if (/^0\d/.test(text)) {
    throw new ExpressionError(
      `${text} begins with 0; accepted is ${text.replace(/^0+(?=\d)/, '')}`,
      at,
    );
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

/** Also without the capital letters of EIP-55, which shown addresses do not have. @throws ExpressionError for wrong ones */
function addressOf(text: string, at: number): bigint {
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  const checked = getAddress(text.toLowerCase());
  if (isPlain || checked === text) return BigInt(text);
  throw new ExpressionError(
    `the address ${text} has a wrong checksum; accepted are ${checked} and lower-case letters`,
    at,
  );
}

/** The smallest type of a number; undefined for fractions, and beyond 256 bits. */
export function numberType({ numerator, denominator }: Literal): ValueType | undefined {
  if (denominator !== 1n) return undefined;
  const kind = numerator < 0n ? 'int' : 'uint';
  // A negative number has the bits of its complement, and one for its sign.
  const digits = (numerator < 0n ? ~numerator : numerator).toString(2).length;
  const bits = Math.ceil((kind === 'int' ? digits + 1 : digits) / 8) * 8;
  return bits > 256 ? undefined : { kind, bits };
}

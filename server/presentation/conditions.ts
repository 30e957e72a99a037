import type { Param } from '../api/explorer';
import type { Reading } from '../api/readings';
import type { ConditionPart, FailedCondition } from '../api/recording-conditions';
import { parameterName, quiet, type Names, type Segment } from './segment';
import { shownText } from './text';
import { valueSegments } from './values';

const TEXT_LIMIT = 200;
const NAME_LIMIT = 60;
const INTEGER = /^\d+$/;
const SIGNS: Readonly<Record<NonNullable<ConditionPart['relation']>, string>> = {
  '==': '=',
  '!=': '≠',
  '<': '<',
  '>': '>',
  '<=': '≤',
  '>=': '≥',
};

/** The condition with its statement: `require(balance >= amount)`, `if (paused)`. */
export function conditionText({ kind, text }: FailedCondition): string {
  const inert = shownText(text.replace(/\s+/g, ' '), TEXT_LIMIT);
  return kind === 'revert' ? `if (${inert})` : `${kind}(${inert})`;
}

/** `balance 3.2 WETH < amount 5 WETH`: what holds between the operands of a comparison. @param params of the call, with what they mean */
export function comparisonSegments(
  { relation, operands }: ConditionPart,
  params: readonly Param[],
  names: Names,
): Segment[] {
  if (relation === undefined) return [];
  const scale = operands.map(({ name, value }) => scaleOf(name, value, params)).find(Boolean);
  return operands.flatMap(({ name, type, value }, index) => [
    ...(index > 0 ? [quiet(` ${SIGNS[relation]} `)] : []),
    // A literal is its own value.
    ...(name === value ? [] : [quiet(`${shownText(name, NAME_LIMIT)} `)]),
    ...operandSegments(type, value, scale, names),
  ]);
}

/** `account: alice, spender: bob`: what a part without a comparison depends on. */
export const operandsOf = ({ operands }: ConditionPart, names: Names): Segment[] =>
  operands.flatMap(({ name, type, value }, index) => [
    ...(index > 0 ? [quiet(', ')] : []),
    ...parameterName(shownText(name, NAME_LIMIT)),
    ...operandSegments(type, value, undefined, names),
  ]);

function operandSegments(
  type: string,
  value: string,
  scale: Scale | undefined,
  names: Names,
): Segment[] {
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(value);
  const plain = isAddress ? value.toLowerCase() : value;
  const reading = scale && INTEGER.test(value) ? inScale(plain, scale) : undefined;
  return valueSegments(type, plain, names, reading ? [reading] : []);
}

interface Scale extends Pick<Reading, 'asset' | 'symbol'> {
  readonly decimals: number;
}

/** The unit of an operand that is a parameter of the call. Numbers that are compared have the same one. */
function scaleOf(name: string, value: string, params: readonly Param[]): Scale | undefined {
  const param = params.find((one) => one.name === name && one.value === value);
  const reading = param?.readings?.find(({ path }) => path === '');
  const decimals = reading?.amount === undefined ? undefined : decimalsOf(value, reading.amount);
  return reading && decimals !== undefined ? { ...reading, decimals } : undefined;
}

/** Decimals of a token by an amount in both forms; undefined where they do not determine them. */
function decimalsOf(value: string, amount: string): number | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '' || !value.startsWith(digits)) return undefined;
  return fraction.length + value.length - digits.length;
}

function inScale(value: string, { decimals, asset, symbol }: Scale): Reading {
  const padded = value.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  const fraction = padded.slice(padded.length - decimals).replace(/0+$/, '');
  const amount = fraction === '' ? whole : `${whole}.${fraction}`;
  return { path: '', ...(asset && { asset }), ...(symbol && { symbol }), amount };
}

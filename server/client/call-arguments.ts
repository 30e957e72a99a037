import * as l10n from '@vscode/l10n';
import { decodeFunctionData, encodeFunctionData, type AbiFunction, type AbiParameter } from 'viem';
import { isGuess } from '../api/decoding';
import { NODE_TYPE, type InvocationFlow, type Param } from '../api/explorer';
import type { Hex } from '../api/primitives';
import { inUnits } from '../api/whole-units';
import { acceptedBy, parseArgument } from './abi-argument';
import { parseSignature } from './abi-signature';
import { parseAmount, withoutSeparators } from './amounts';
import type { TransactionCall } from './transaction-call';

/** An argument of a transaction's call, which can be changed. */
export interface CallArgument {
  /** Its name, or its number; `?` marks one that only a matching selector gives. */
  label: string;
  type: string;
  /** The text that the user edits: in units of a token where the argument counts one, else as in the ABI; lists as JSON. */
  text: (call: TransactionCall) => string;
  prompt: string;
  accepted: string;
  /** The call with a new value; undefined if the text is invalid. */
  change: (call: TransactionCall, text: string) => TransactionCall | undefined;
}

/** A token that an argument counts. */
interface Unit {
  symbol: string;
  decimals: number;
}

const MAX_DECIMALS = 77;
/** Characters of an address; the decoder writes it with a checksum. */
const ADDRESS_LENGTH = 42;

/**
 * The arguments of a transaction's call, one rule for each.
 * @returns empty for a call whose method is not known
 */
export function argumentsOf({ dataMap }: Pick<InvocationFlow, 'dataMap'>): CallArgument[] {
  const top = dataMap['0'];
  const method = top?.nodeType === NODE_TYPE.invocation ? top.invocation.decodedMethod : null;
  if (!method) return [];
  const item = parseSignature(method.signature, 'function');
  if (item?.type !== 'function' || item.inputs.length !== method.callParams.length) return [];
  return item.inputs.map((input, index) =>
    argumentOf(item, input, index, method.callParams[index], isGuess(method.source)),
  );
}

/** Whether the data of a call is exactly the arguments that its rules change. */
export const isDecoded = (call: TransactionCall, rules: readonly CallArgument[]): boolean =>
  rules.every((rule) => rule.change(call, rule.text(call))?.data === call.data);

function argumentOf(
  item: AbiFunction,
  input: AbiParameter,
  index: number,
  param: Param | undefined,
  isGuessed: boolean,
): CallArgument {
  const unit = unitOf(param);
  const name = param?.name ?? '';
  const accepted = acceptedBy(input);
  return {
    label: `${name === '' ? `#${index + 1}` : name}${isGuessed ? '?' : ''}`,
    type: input.type,
    prompt:
      unit === undefined
        ? accepted
        : l10n.t('Enter an amount in {0}, or a whole number of its smallest unit.', unit.symbol),
    accepted,
    text(call) {
      const value = valuesOf(item, call)?.[index];
      if (value === undefined) return '';
      return unit === undefined || typeof value !== 'bigint'
        ? textOf(value)
        : `${inUnits(String(value), unit.decimals)} ${unit.symbol}`;
    },
    change(call, text) {
      const values = valuesOf(item, call);
      const value = valueOf(input, unit, text);
      if (values === undefined || value === undefined) return undefined;
      return withValues(item, call, values.with(index, value));
    },
  };
}

/** The token that a number counts, if the analysis says so, with the decimals by which it does. */
function unitOf(param: Param | undefined): Unit | undefined {
  const reading = param?.readings?.find(({ path }) => path === '');
  if (reading === undefined || !('amount' in reading) || param === undefined) return undefined;
  const { amount, symbol } = reading;
  if (amount === undefined || symbol === undefined || param.value === '0') return undefined;
  for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
    if (inUnits(param.value, decimals) === amount) return { symbol, decimals };
  }
  return undefined;
}

function valueOf(input: AbiParameter, unit: Unit | undefined, text: string): unknown {
  if (unit !== undefined && text.trim().endsWith(` ${unit.symbol}`)) {
    const plain = withoutSeparators(text.trim().slice(0, -unit.symbol.length));
    return parseAmount(plain, unit.decimals);
  }
  try {
    return parseArgument(input, text);
  } catch {
    return undefined;
  }
}

/** @returns undefined if the data is not that of the function */
function valuesOf(item: AbiFunction, { data }: TransactionCall): readonly unknown[] | undefined {
  try {
    return decodeFunctionData({ abi: [item], data: data as Hex }).args;
  } catch {
    return undefined;
  }
}

function withValues(
  item: AbiFunction,
  call: TransactionCall,
  args: readonly unknown[],
): TransactionCall | undefined {
  try {
    const data = encodeFunctionData({ abi: [item], functionName: item.name, args });
    return { ...call, data };
  } catch {
    return undefined;
  }
}

/** A value as the user edits it: a list or a structure as JSON, whose numbers are texts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') {
    return value.startsWith('0x') && value.length === ADDRESS_LENGTH ? value.toLowerCase() : value;
  }
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
}

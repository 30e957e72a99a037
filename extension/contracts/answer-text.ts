import { MAX_WORD } from '../../server/api/word';
import * as l10n from '@vscode/l10n';
import {
  decodeErrorResult,
  decodeFunctionResult,
  type Abi,
  type AbiFunction,
  type AbiParameter,
} from 'viem';
import { ForkRpcError } from '../../server/client/fork-rpc';
import { grouped } from '../../server/client/format';
import type { FunctionAnswer } from '../model/fork-contract';

/** Longest text of an answer, and most items of a list in it. */
const MAX_TEXT = 500;
const MAX_ITEMS = 20;
/** Control and format characters, which could change the display of their neighbours. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Bytes that a call of a function returned, as text: `1,000`, `(price: 5, isOpen: true)`. */
export function answerOf(abi: AbiFunction, data: string): FunctionAnswer {
  if (data === '0x' && abi.outputs.length > 0) {
    return failure(l10n.t('no answer: the address has no such function'));
  }
  let decoded: unknown;
  try {
    decoded = decodeFunctionResult({ abi: [abi], data: data as `0x${string}` });
  } catch {
    return failure(l10n.t('the answer is not of the types that the function returns'));
  }
  const { outputs } = abi;
  const [only, ...others] = outputs;
  const text =
    only === undefined
      ? l10n.t('done')
      : others.length === 0
        ? textOf(only, decoded)
        : members(outputs, decoded as unknown[]);
  return { text: bounded(text), isFailure: false };
}

/** Why a fork did not execute a call, with the contract's own error where it has one. */
export function failureOf(abi: Abi, error: unknown): FunctionAnswer {
  if (!(error instanceof ForkRpcError)) {
    return failure(error instanceof Error ? error.message : String(error));
  }
  const { data, message } = error;
  if (typeof data === 'string' && /^0x[0-9a-f]{8}/i.test(data)) {
    try {
      const { abiItem, args, errorName } = decodeErrorResult({ abi, data: data as `0x${string}` });
      const [reason] = args ?? [];
      if (errorName === 'Error') return failure(l10n.t('reverts: {0}', String(reason)));
      const inputs = abiItem.type === 'error' ? abiItem.inputs : [];
      const values = members(inputs, args ?? []);
      return failure(l10n.t('reverts: {0}', `${errorName}${values}`));
    } catch {
      // The message says what the engine knows.
    }
  }
  return failure(message);
}

const failure = (text: string): FunctionAnswer => ({ text: bounded(text), isFailure: true });

function bounded(text: string): string {
  const shown = text.replace(UNSEEN, '�');
  return shown.length <= MAX_TEXT ? shown : `${shown.slice(0, MAX_TEXT)}…`;
}

function textOf(parameter: AbiParameter, value: unknown): string {
  const element = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1];
  if (element !== undefined) {
    const items = value as unknown[];
    const texts = items
      .slice(0, MAX_ITEMS)
      .map((item) => textOf({ ...parameter, type: element }, item));
    return `[${[...texts, ...(items.length > MAX_ITEMS ? ['…'] : [])].join(', ')}]`;
  }
  if (parameter.type === 'tuple') {
    const components = 'components' in parameter ? parameter.components : [];
    const values = Array.isArray(value)
      ? (value as unknown[])
      : components.map(({ name = '' }) => (value as Record<string, unknown>)[name]);
    return members(components, values);
  }
  if (typeof value === 'bigint' || typeof value === 'number') return integer(BigInt(value));
  return parameter.type === 'string' ? JSON.stringify(value) : String(value);
}

const integer = (value: bigint): string => (value === MAX_WORD ? 'max uint256' : grouped(value));

function members(parameters: readonly AbiParameter[], values: readonly unknown[]): string {
  const texts = parameters.map((parameter, index) => {
    const text = textOf(parameter, values[index]);
    return parameter.name ? `${parameter.name}: ${text}` : text;
  });
  return `(${texts.join(', ')})`;
}

import * as l10n from '@vscode/l10n';
import { isGuess, type NestedCall, type Param } from '../../server/api/decoding';
import type { Decoding } from '../../server/api/decode';
import { invalidField } from '../../server/api/errors';
import type { Hex } from '../../server/api/primitives';
import { encode, itemOf, type EncodedItem } from './encode';
import { DATA_MARK } from './data-mark';

/** Longer bytes inside a nested call are shortened in its comment. */
const MAX_VALUE = 120;

/** What a document of decoded data says. */
export interface DataDocument {
  item: EncodedItem;
  values: readonly unknown[];
  /** Bytes after the arguments; `0x` for none. */
  trailing: Hex;
}

/** A decoding with a signature and values that encode to the data again. */
export interface EncodableDecoding {
  signature: string;
  values: readonly unknown[];
  /** Bytes after the arguments; left out for none. */
  trailing?: Hex;
}

/**
 * The document's signature and arguments for a decoding: with the names of its parameters, or without them where a name is no word of
 * Solidity's.
 * @returns undefined if neither encodes to the data before what follows the arguments
 */
export function encodableOf(
  decoding: Pick<Decoding, 'kind' | 'signature' | 'declaration' | 'params' | 'trailing'>,
  data: Hex,
): EncodableDecoding | undefined {
  const { kind, params, trailing = [] } = decoding;
  const rest = trailing.map((part) => part.data.slice(2)).join('');
  const encoded = data.slice(0, data.length - rest.length);
  if (params === null || kind === 'event') return undefined;
  const prefix = kind === 'error' ? 'error ' : '';
  const full = decoding.declaration.replace(/^(function|error)\s+/, '');
  const values = params.map(valueOf);
  const after = rest === '' ? {} : { trailing: `0x${rest}` as const };
  const choices: EncodableDecoding[] = [
    { signature: prefix + full, values, ...after },
    { signature: prefix + decoding.signature, values: values.map(withoutNames), ...after },
  ];
  return choices.find((choice) => {
    try {
      return encode(itemOf(choice.signature), choice.values) === encoded;
    } catch {
      return false;
    }
  });
}

/** Values of arrays and tuples are JSON text. */
const valueOf = ({ type, value }: Param): unknown =>
  type.endsWith(']') || type.includes('(') ? (JSON.parse(value) as unknown) : value;

function withoutNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNames);
  return typeof value === 'object' && value !== null
    ? Object.values(value).map(withoutNames)
    : value;
}

/**
 * The text of a document: JSON with comments.
 * @param notes lines above it
 * @param nested calls inside the arguments, by the index of the argument
 */
export function documentText(
  { signature, values, trailing }: EncodableDecoding,
  notes: readonly string[],
  nested: readonly (readonly NestedCall[])[] = [],
): string {
  const { inputs } = itemOf(signature);
  const entries = values.map((value, index) => {
    const { name = '', type = '' } = inputs[index] ?? {};
    const json = JSON.stringify(value, null, 2).replaceAll('\n', '\n    ');
    const last = index === values.length - 1;
    return [
      `    // ${[name, type].filter((part) => part !== '').join(': ')}`,
      ...(nested[index] ?? []).flatMap((call) => nestedLines(call, 1)),
      `    ${json}${last ? '' : ','}`,
    ].join('\n');
  });
  return [
    ...[DATA_MARK, ...notes].map((note) => `// ${note.replaceAll(/\s+/g, ' ')}`),
    '{',
    `  "signature": ${JSON.stringify(signature)},`,
    `${entries.length === 0 ? '  "arguments": []' : `  "arguments": [\n${entries.join('\n')}\n  ]`}${trailing === undefined ? '' : ','}`,
    ...(trailing === undefined
      ? []
      : [`  // ${l10n.t('Bytes after the arguments')}`, `  "trailing": "${trailing}"`]),
    '}',
    '',
  ].join('\n');
}

function nestedLines({ path, to, name, callParams, source }: NestedCall, depth: number): string[] {
  const args = callParams.map((param) =>
    [param.name, shortened(param.value)].filter((part) => part !== '').join(': '),
  );
  // A name that rests on the selector alone is a guess.
  const guess = isGuess(source) ? '?' : '';
  const call = name === '' ? l10n.t('unknown call') : `${name}${guess}(${args.join(', ')})`;
  const target = to === '' ? '' : `${to}.`;
  const line = `    // ${'  '.repeat(depth)}${path === '' ? '' : `${path} `}→ ${target}${call}`;
  const inner = callParams.flatMap(({ nested = [] }) => nested);
  return [
    line.replaceAll(/[\r\n\u2028\u2029]+/g, ' '),
    ...inner.flatMap((one) => nestedLines(one, depth + 1)),
  ];
}

const shortened = (value: string): string =>
  value.length <= MAX_VALUE ? value : `${value.slice(0, MAX_VALUE)}…`;

/** @throws ApiError `invalidField` with the line of the fault where it is known */
export function readDocument(text: string): DataDocument {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null || !('signature' in json)) {
    throw invalidField('document', '', l10n.t('an object with "signature" and "arguments"'));
  }
  const { signature } = json;
  const values: unknown = 'arguments' in json ? json.arguments : undefined;
  if (typeof signature !== 'string') {
    throw invalidField('signature', signature, l10n.t('a text'));
  }
  if (!Array.isArray(values)) {
    throw invalidField('arguments', values, l10n.t('a list with a value for each parameter'));
  }
  const trailing: unknown = 'trailing' in json ? json.trailing : '0x';
  if (typeof trailing !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(trailing)) {
    throw invalidField('trailing', trailing, l10n.t('0x and an even number of hex digits'));
  }
  return { item: itemOf(signature), values, trailing: trailing as Hex };
}

export const dataOfDocument = (text: string): Hex => {
  const { item, values, trailing } = readDocument(text);
  return `${encode(item, values)}${trailing.slice(2)}`;
};

function parseJson(text: string): unknown {
  // Comments are left out, and text in quotes is kept. Numbers beyond 2^53 would lose digits, so they become texts.
  const plain = text
    .replace(
      /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (_, quoted?: string) => quoted ?? '',
    )
    .replace(
      /("(?:\\.|[^"\\])*")|(-?\d{16,})|,(?=\s*[\]}])/g,
      (_, quoted?: string, digits?: string) =>
        quoted ?? (digits === undefined ? '' : `"${digits}"`),
    );
  try {
    return JSON.parse(plain);
  } catch (error) {
    throw invalidField('document', (error as Error).message, l10n.t('JSON with comments'));
  }
}

import { parseAbiItem, type Abi, type AbiEvent, type AbiFunction } from 'viem';

export type AbiError = Extract<Abi[number], { type: 'error' }>;
/** A function, an error or an event by its signature. */
export type SignatureItem = AbiFunction | AbiError | AbiEvent;

/**
 * Parses `name(types)`, with or without names of parameters, optionally followed by `(types)` or `returns (types)` for the results.
 * @param kind what the signature is of, where it does not start with `function`, `error` or `event`
 * @returns undefined if the text is no signature
 */
export function parseSignature(
  text: string,
  kind: 'function' | 'error' | 'event',
): SignatureItem | undefined {
  const [, word = kind, name, inputs, outputs] =
    /^\s*(?:(function|error|event)\s+)?([\w$]+)\s*(\(.*?\))(?:\s+(?:external|public|view|pure|payable|nonpayable))*(?:\s*(?:returns\s*)?(\(.*\)))?\s*;?\s*$/.exec(
      balanced(text),
    ) ?? [];
  if (name === undefined || inputs === undefined) return undefined;
  const returns =
    outputs === undefined || word !== 'function' ? '' : ` returns ${restored(outputs)}`;
  try {
    return parseAbiItem(`${word} ${name}${restored(inputs)}${returns}`) as SignatureItem;
  } catch {
    return undefined; // the parser's own messages have several lines
  }
}

/** Replaces inner brackets, so that a pattern can find the outer ones. */
function balanced(text: string): string {
  let depth = 0;
  return text.replace(/[()]/g, (bracket) => {
    if (bracket === '(') return ++depth > 1 ? '\u0001' : '(';
    return depth-- > 1 ? '\u0002' : ')';
  });
}

const restored = (text: string): string => text.replaceAll('\u0001', '(').replaceAll('\u0002', ')');

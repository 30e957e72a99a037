import type { Hex } from '../../api/primitives';
import type { Trailing } from '../../api/trailing';
import { attributionIn } from './attribution';
import { readableText } from './readable-text';

/** Digits of an address. */
const ADDRESS = 40;
/** Digits of the length that a clone appends behind its arguments. */
const LENGTH = 4;
const LEAST_TEXT = 4;

/** What is known of a call besides its data. */
export interface CallFacts {
  /** The caller is a forwarder, and the callee trusts forwarders (ERC-2771). */
  readonly isForwarded: boolean;
  /** Digits of the caller's code, if it delegates the call. */
  readonly cloneCode?: Hex | undefined;
}

const NOTHING: CallFacts = { isForwarded: false };

/**
 * Parts of the bytes that follow the arguments of a call, in their order.
 * @param from index of the first digit after the arguments
 */
export function trailingParts(data: Hex, from: number, facts = NOTHING): Trailing[] {
  const attribution = attributionIn(data, from);
  const rest = data.slice(from, attribution?.start);
  const first = rest === '' ? undefined : restPart(rest, facts);
  // A forwarder appends the sender to data that may end with an attribution.
  const inner =
    first?.kind === 'unknown' && rest.length > ADDRESS
      ? attributionIn(data.slice(0, -ADDRESS) as Hex, from)
      : undefined;
  if (inner) {
    return [
      ...trailingParts(data.slice(0, -ADDRESS) as Hex, from),
      sender(data.slice(-ADDRESS), facts),
    ];
  }
  if (!attribution) return first ? [first] : [];
  const { start, ...said } = attribution;
  return [
    ...(first ? [first] : []),
    { data: `0x${data.slice(start)}`, kind: 'attribution', ...said },
  ];
}

/** @param rest digits, at least two */
function restPart(rest: string, facts: CallFacts): Trailing {
  const data: Hex = `0x${rest}`;
  const cloneArguments = argumentsOfClone(rest, facts);
  if (cloneArguments) return cloneArguments;
  const text = readableText(data, LEAST_TEXT);
  if (text !== undefined && !facts.isForwarded) return { data, kind: 'text', text };
  if (rest.length === ADDRESS && !rest.startsWith('00000000')) return sender(rest, facts);
  return { data, kind: 'unknown' };
}

const sender = (digits: string, { isForwarded }: CallFacts): Trailing => ({
  data: `0x${digits}`,
  kind: 'sender',
  ...(!isForwarded && { isGuess: true as const }),
  sender: `0x${digits}`,
});

/** Whether the last two bytes are the number of all bytes, or of those before them. @param rest digits */
export function endsWithLength(rest: string): boolean {
  const bytes = rest.length / 2;
  if (bytes <= 2) return false;
  const length = Number.parseInt(rest.slice(-LENGTH), 16);
  return length === bytes || length === bytes - 2;
}

/**
 * Arguments and their length in bytes, with or without the two bytes of the length itself, as `ClonesWithImmutableArgs` and Solady's
 * `LibClone` append them. The code of the clone contains the arguments.
 */
function argumentsOfClone(rest: string, { cloneCode }: CallFacts): Trailing | undefined {
  if (!endsWithLength(rest)) return undefined;
  const isInCode = cloneCode?.includes(rest.slice(0, -LENGTH)) ?? false;
  return {
    data: `0x${rest}`,
    kind: 'clone-arguments',
    ...(!isInCode && { isGuess: true as const }),
  };
}

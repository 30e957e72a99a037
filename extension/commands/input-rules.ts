import { nameSchema, hashSchema, type Hash, type Hex } from '../../server/api/primitives';

/** What is wrong with a name of a project or fork, or undefined. */
export function nameProblem(text: string): string | undefined {
  const issue = nameSchema.safeParse(text).error?.issues[0];
  return issue === undefined ? undefined : `The name must be ${issue.message}.`;
}

const MAX_HEIGHT = 2n ** 64n - 1n;
const HEIGHT_RULE = 'Enter safe, a block number such as 19,000,123, or hex such as 0x121eafb.';

/**
 * The height as the service takes it: `safe`, or hex.
 * @param text also decimal, with or without thousands separators
 * @returns undefined where it is none of these
 */
export function parseHeight(text: string): 'safe' | Hex | undefined {
  const value = text.trim().toLowerCase();
  if (value === 'safe') return value;
  const digits = value.replace(/(?<=\d)[,_ ](?=\d{3}(\D|$))/g, '');
  if (!/^(0x[0-9a-f]+|\d+)$/.test(digits)) return undefined;
  const height = BigInt(digits);
  return height > MAX_HEIGHT ? undefined : `0x${height.toString(16)}`;
}

export const heightProblem = (text: string): string | undefined =>
  parseHeight(text) === undefined ? HEIGHT_RULE : undefined;

/** @returns null for an empty field: the state after the whole block; undefined where it is no position */
export function parsePosition(text: string): number | null | undefined {
  const value = text.trim();
  if (value === '') return null;
  const position = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  return Number.isSafeInteger(position) ? position : undefined;
}

export const positionProblem = (text: string): string | undefined =>
  parsePosition(text) === undefined
    ? 'Enter a whole number: how many transactions of the block are applied. Leave it empty for all.'
    : undefined;

export const hashProblem = (text: string): string | undefined =>
  hashSchema.safeParse(text.trim()).success
    ? undefined
    : 'A transaction hash is 0x and 64 hex digits.';

/** The first transaction hash inside a text, such as a selection or a link of a block explorer. */
export function findHash(text: string): Hash | undefined {
  return /(?<![0-9a-z])0x[0-9a-f]{64}(?![0-9a-f])/i.exec(text)?.[0].toLowerCase() as
    Hash | undefined;
}

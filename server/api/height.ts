import * as z from 'zod';
import { ApiError } from './errors';

const TAGS = ['safe', 'finalized', 'latest', 'earliest'] as const;
/** Names for a block, besides its number. */
export type HeightTag = (typeof TAGS)[number];
/** A tag or a JSON-RPC quantity. */
export type Height = HeightTag | `0x${string}`;

const HEIGHT =
  'a block number (hex such as "0x121eac0", or decimal), "safe", "finalized", "latest" or "earliest"';
const MAX_NUMBER = 2n ** 64n - 1n;

export const isHeightTag = (height: string): height is HeightTag =>
  TAGS.some((tag) => tag === height);

function parse(value: string | number): Height | undefined {
  const text = String(value);
  if (isHeightTag(text)) return text;
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)) return undefined;
  if (!/^(0x[0-9a-fA-F]{1,16}|[0-9]{1,20})$/.test(text)) return undefined;
  const number = BigInt(text);
  return number > MAX_NUMBER ? undefined : `0x${number.toString(16)}`;
}

/** A height in a body: hex, decimal digits, a JSON number or a tag. Parses to a tag or a JSON-RPC quantity. */
export const heightSchema = z
  .union([z.string({ error: HEIGHT }), z.number({ error: HEIGHT })], { error: HEIGHT })
  .transform((input, context): Height => {
    const height = parse(input);
    if (height !== undefined) return height;
    context.addIssue({ code: 'custom', message: HEIGHT, input });
    return z.NEVER;
  })
  .meta({ description: HEIGHT });

/**
 * The error for a block above the newest one, `invalidField`, with both numbers in decimal and hexadecimal.
 * @param height hexadecimal or decimal
 * @param chain short name
 */
export function heightAboveHead(
  height: string,
  head: string | bigint,
  chain: string,
  field = 'height',
): ApiError {
  const both = (number: bigint): string => `${number} (0x${number.toString(16)})`;
  const accepted = `a block up to ${both(BigInt(head))}, the head of ${chain}, "safe" or "latest"`;
  return new ApiError('invalidField', `${field} is ${both(BigInt(height))}; accepted: ${accepted}`);
}

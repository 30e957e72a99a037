import * as z from 'zod';

const AT =
  'a block number (decimal, or 0x hex), "latest", "safe", "finalized" or "earliest", a UTC time such as 2024-01-13 or ' +
  '2024-01-13T11:20:35Z, or the hash of a transaction or a block';

const TAGS = ['latest', 'safe', 'finalized', 'earliest'] as const;
export type BlockTag = (typeof TAGS)[number];

/** A block of a chain, in the notations that people use. */
export type BlockReference =
  | { kind: 'tag'; tag: BlockTag }
  | { kind: 'number'; number: bigint }
  /** Unix seconds. */
  | { kind: 'time'; time: number }
  /** Of a transaction, else of a block. */
  | { kind: 'transaction'; hash: `0x${string}` };

const MAX_NUMBER = 2n ** 64n - 1n;
/** ISO 8601 with a four-digit year. A time without an offset is UTC. Fractions of a second are ignored. */
const TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** @returns undefined if the text is not a block reference */
export function parseBlockReference(text: string): BlockReference | undefined {
  const value = text.trim().toLowerCase();
  const tag = TAGS.find((one) => one === value);
  if (tag !== undefined) return { kind: 'tag', tag };
  if (/^0x[0-9a-f]{64}$/.test(value)) return { kind: 'transaction', hash: value as `0x${string}` };
  if (/^(0x[0-9a-f]{1,16}|\d{1,20})$/.test(value)) {
    const number = BigInt(value);
    return number > MAX_NUMBER ? undefined : { kind: 'number', number };
  }
  const [, day, minutes = '00:00', seconds = '00', offset = 'z'] = TIME.exec(value) ?? [];
  if (day === undefined) return undefined;
  const milliseconds = Date.parse(`${day}T${minutes}:${seconds}${offset.toUpperCase()}`);
  // JavaScript's Date accepts February 31 and takes it for a day in March.
  if (Number.isNaN(milliseconds) || !isDay(day)) return undefined;
  return { kind: 'time', time: milliseconds / 1000 };
}

const isDay = (day: string): boolean =>
  new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day;

const chainBlockSchema = z.object({
  height: z.string().meta({ description: 'Block number, hex: as createFork takes it' }),
  number: z.int().meta({ description: 'Block number' }),
  hash: z.string().meta({ description: 'Block hash' }),
  timestamp: z.int().meta({ description: 'Unix seconds' }),
  transactionCount: z.int().meta({ description: 'Transactions in the block' }),
  position: z.int().nullable().meta({
    description:
      'Of the transaction that was asked for: a fork at this position is right before it, at the next position right after it',
  }),
});
export type ChainBlock = z.infer<typeof chainBlockSchema>;

/** The route of `ROUTES` that finds a block. */
export const CHAIN_BLOCK_ROUTES = {
  findBlock: {
    method: 'get',
    paths: ['/v1/chains/:chain/block'],
    summary:
      'The block of a chain by number, tag, time (the newest up to it) or transaction (ours)',
    scope: 'any',
    params: z.object({ chain: z.string().meta({ description: 'Slug of a chain' }) }),
    query: z.object({
      at: z
        .string({ error: AT })
        .transform((input, context) => {
          const reference = parseBlockReference(input);
          if (reference !== undefined) return reference;
          context.addIssue({ code: 'custom', message: AT, input });
          return z.NEVER;
        })
        .meta({ type: 'string', description: AT }),
    }),
    body: z.object({}),
    data: chainBlockSchema,
    errors: [
      'chainNotFound',
      'blockNotFound',
      'transactionNotFound',
      'transactionPending',
      'upstreamUnreachable',
      'upstreamLacksData',
    ],
  },
} as const;

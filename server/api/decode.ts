import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { DECODE_SOURCES, paramSchema, trailingField } from './decoding';
import { addressSchema, type Hex } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const DATA = `4 to ${CONTRACT_LIMITS.decodedBytes} bytes: 0x and an even number of hex digits`;

const CHAIN = 'the slug of a chain, or the id of a fork';

const decodingSchema = z.object({
  kind: z
    .enum(['call', 'error', 'event'])
    .meta({ description: 'What the signature is of. event: the data is its first topic' }),
  name: z.string().meta({ description: 'Of the method, error or event' }),
  signature: z.string().meta({ description: 'Such as transfer(address,uint256)' }),
  declaration: z
    .string()
    .meta({ description: 'With the names of the parameters, as in Solidity without visibility' }),
  source: z.enum(DECODE_SOURCES).meta({ description: 'Who said so' }),
  params: z.array(paramSchema).nullable().meta({
    description: 'Decoded arguments; null where the arguments are missing or do not fit',
  }),
  text: z.string().meta({ description: 'Of an error: the reason as text; else empty' }),
  trailing: trailingField,
});
export type Decoding = z.infer<typeof decodingSchema>;

const decodingsSchema = z.object({
  selector: z.string().meta({ description: 'The first four bytes' }),
  message: z.string().optional().meta({
    description: 'Where the data is text in UTF-8: the text in one line, which is untrusted',
  }),
  decodings: z.array(decodingSchema).meta({
    description: `Signatures of the selector, those that fit first, then those that other bytes follow, then the most trustworthy; at most ${CONTRACT_LIMITS.decodings}`,
  }),
});
export type Decodings = z.infer<typeof decodingsSchema>;

/** The route of `ROUTES` that decodes data without a transaction. */
export const DECODE_ROUTES = {
  decodeData: {
    method: 'post',
    paths: ['/v1/decode'],
    summary: 'What call data, revert data, a selector or an event topic mean (ours)',
    scope: 'analyze',
    params: z.object({}),
    query: z.object({}),
    body: z.object({
      data: z
        .string({ error: DATA })
        .regex(/^0x([0-9a-fA-F]{2}){4,}$/, { error: DATA })
        .refine((text) => text.length <= 2 + 2 * CONTRACT_LIMITS.decodedBytes, { error: DATA })
        .transform((text) => text.toLowerCase() as Hex)
        .meta({ type: 'string', description: DATA }),
      at: z
        .object({
          chain: z.string({ error: CHAIN }).meta({ description: CHAIN }),
          address: addressSchema,
        })
        .optional()
        .meta({
          description: 'Contract that is called, or that failed: its own interface counts first',
        }),
    }),
    data: decodingsSchema,
    errors: CHAIN_ERRORS,
  },
} as const;

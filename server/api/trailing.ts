import * as z from 'zod';

/** What bytes after the arguments of a call are. */
export const TRAILING_KINDS = [
  'attribution',
  'sender',
  'clone-arguments',
  'text',
  'unknown',
] as const;

/** A part of the bytes that follow the ABI-encoded arguments of a call. The callee's decoder of arguments ignores them. */
export const trailingSchema = z
  .object({
    data: z.string().meta({ description: 'The bytes, 0x hex' }),
    kind: z.enum(TRAILING_KINDS).meta({
      description:
        'attribution: suffix with the codes of apps and wallets (ERC-8021); sender: whom a forwarder calls for (ERC-2771); ' +
        'clone-arguments: immutable arguments that a clone appends; text: UTF-8; else unknown',
    }),
    isGuess: z.literal(true).optional().meta({
      description: 'Only the form of the bytes says so: nothing is known of the caller',
    }),
    codes: z.array(z.string()).optional().meta({
      description: 'Of an attribution: untrusted text that anyone can append',
    }),
    registry: z
      .object({
        chainId: z.string().meta({ description: 'Decimal' }),
        address: z.string().meta({ description: 'Contract that registers the codes' }),
      })
      .optional()
      .meta({ description: 'Of an attribution: registry of its codes, if it names one' }),
    sender: z.string().optional().meta({ description: 'Of a sender: the account' }),
    text: z.string().optional().meta({ description: 'Of a text: one line, untrusted' }),
  })
  .meta({ id: 'Trailing' });
export type Trailing = z.infer<typeof trailingSchema>;

import * as z from 'zod';
import { addressSchema } from './primitives';
import { CONTRACT_LIMITS } from './limits';

const { abiItems: MAX_ITEMS, abiNameLength: MAX_NAME, abiDepth: MAX_DEPTH } = CONTRACT_LIMITS;

/** An identifier; what cannot be part of one (control characters, marks that turn text round) is left out. */
const identifier = z
  .string()
  .max(MAX_NAME, { error: `a name of up to ${MAX_NAME} characters` })
  .overwrite((text) => text.replace(/[^\w$]/g, ''));

/** A parameter of a JSON ABI. */
export interface AbiParam {
  name: string;
  type: string;
  indexed?: boolean | undefined;
  components?: AbiParam[] | undefined;
}

/** Bounded, because whoever writes an ABI may nest it as deep as he likes. */
function paramAt(depth: number): z.ZodType<AbiParam> {
  const plain = z.object({
    name: identifier.default(''),
    type: z.string().max(MAX_NAME, { error: `a type of up to ${MAX_NAME} characters` }),
    indexed: z.boolean().optional(),
  });
  return depth === 0 ? plain : plain.extend({ components: z.array(paramAt(depth - 1)).optional() });
}
const paramSchema = paramAt(MAX_DEPTH);

/** One item of a JSON ABI as compilers write it; fields that say nothing about encoding are left out. */
export const abiItemSchema = z.object({
  type: z.enum(['function', 'event', 'error', 'constructor', 'fallback', 'receive'], {
    error: 'function, event, error, constructor, fallback or receive',
  }),
  name: identifier.optional(),
  inputs: z.array(paramSchema).optional(),
  outputs: z.array(paramSchema).optional(),
  stateMutability: z.enum(['pure', 'view', 'nonpayable', 'payable']).optional(),
  anonymous: z.boolean().optional(),
});
export type AbiItem = z.infer<typeof abiItemSchema>;

export const abiAddress = z.object({
  chain: z.string().meta({ description: 'Slug of a chain, or id of a fork' }),
  address: addressSchema,
});

/** A compiler's artifact has many more fields. */
export const putAbiBody = z.looseObject({
  abi: z
    .array(abiItemSchema, { error: 'a JSON ABI: a list of its items' })
    .min(1, { error: 'a JSON ABI with at least one item' })
    .max(MAX_ITEMS, { error: `a JSON ABI of up to ${MAX_ITEMS} items` }),
  contractName: z
    .string()
    .max(MAX_NAME, { error: `a name of up to ${MAX_NAME} characters` })
    .default('')
    .meta({ description: 'Shown as the label of the address' }),
});

export const abiSchema = z.object({
  chain: z.string(),
  address: z.string(),
  contractName: z.string(),
  functions: z.int().meta({ description: 'Of those that can be read, as are events and errors' }),
  events: z.int(),
  errors: z.int(),
  abi: z.array(abiItemSchema),
});
/** Ours: an ABI that a user gave for an address. */
export type GivenAbi = z.infer<typeof abiSchema>;

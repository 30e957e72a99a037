import * as z from 'zod';
import { ABI_FORMS, asArtifact } from './abi-forms';
import { addressSchema, networkSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';
import { nearest } from './nearest';

const { abiItems: MAX_ITEMS, abiNameLength: MAX_NAME, abiDepth: MAX_DEPTH } = CONTRACT_LIMITS;

/** An identifier. Invalid characters, such as control characters and marks of text direction, are removed. */
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

/** The depth is bounded, because the author of an ABI may nest it to any depth. */
function paramAt(depth: number): z.ZodType<AbiParam> {
  const plain = z.object({
    name: identifier.default('').meta({ description: 'Of the parameter; may be empty' }),
    type: z
      .string()
      .max(MAX_NAME, { error: `a type of up to ${MAX_NAME} characters` })
      .meta({ description: 'ABI type, such as uint256 or tuple[]' }),
    indexed: z.boolean().optional().meta({ description: 'Of an event: whether it is a topic' }),
  });
  return depth === 0
    ? plain
    : plain.extend({
        components: z
          .array(paramAt(depth - 1))
          .optional()
          .meta({ description: 'Members of a tuple' }),
      });
}
const paramSchema = paramAt(MAX_DEPTH);

/** One item of a JSON ABI in the compilers' format. Fields that do not affect the encoding are removed. */
export const abiItemSchema = z.object({
  type: z
    .enum(['function', 'event', 'error', 'constructor', 'fallback', 'receive'], {
      error: 'function, event, error, constructor, fallback or receive',
    })
    .meta({ description: 'What the item declares' }),
  name: identifier.optional().meta({ description: 'Of a function, event or error' }),
  inputs: z.array(paramSchema).optional().meta({ description: 'Parameters' }),
  outputs: z.array(paramSchema).optional().meta({ description: 'What a function returns' }),
  stateMutability: z
    .enum(['pure', 'view', 'nonpayable', 'payable'])
    .optional()
    .meta({ description: 'Of a function or constructor' }),
  anonymous: z
    .boolean()
    .optional()
    .meta({ description: 'Of an event: true, where no topic holds its signature' }),
});
export type AbiItem = z.infer<typeof abiItemSchema>;

const MAX_DECLARATION = 4_096;

const abiAddress = z.object({
  chain: networkSchema,
  address: addressSchema,
});

/** An item, or its declaration in the notation of Solidity. */
const givenItemSchema = abiItemSchema.extend({
  declaration: z
    .string()
    .max(MAX_DECLARATION, { error: `a declaration of up to ${MAX_DECLARATION} characters` })
    .optional()
    .meta({
      description: 'In place of all fields but type: such as function f(uint256 x) returns (bool)',
    }),
});
export type GivenAbiItem = z.infer<typeof givenItemSchema>;

const artifactFields = z.looseObject({
  abi: z
    .array(givenItemSchema, { error: ABI_FORMS })
    .min(1, { error: 'a JSON ABI with at least one item' })
    .max(MAX_ITEMS, { error: `a JSON ABI of up to ${MAX_ITEMS} items` })
    .meta({ description: 'JSON ABI as compilers write it' }),
  contractName: z
    .string()
    .max(MAX_NAME, { error: `a name of up to ${MAX_NAME} characters` })
    .default('')
    .meta({ description: 'Shown as the label of the address' }),
});

/** Ignores the many other fields of a compiler's artifact, but rejects misspelt fields. */
const knownFields = artifactFields.check(({ value, issues }) => {
  const known = Object.keys(artifactFields.shape);
  const misspelt = Object.keys(value).filter(
    (key) => !known.includes(key) && nearest(key, known) !== undefined,
  );
  if (misspelt.length === 0) return;
  issues.push({ code: 'unrecognized_keys', keys: misspelt, input: value });
});

type PutAbi = z.input<typeof knownFields>;
/** Every accepted form is read as an artifact. */
const putAbiBody = z.pipe(
  z.transform((body: PutAbi) => asArtifact(body) as PutAbi),
  knownFields,
);

export const abiSchema = z.object({
  chain: z.string().meta({ description: 'Slug of the chain, or id of the fork' }),
  address: z.string().meta({ description: 'Of the contract, lower case' }),
  contractName: z
    .string()
    .meta({ description: 'Label of the address; empty where none was given' }),
  functions: z.int().meta({ description: 'Functions of the ABI that can be decoded' }),
  events: z.int().meta({ description: 'Events of the ABI that can be decoded' }),
  errors: z.int().meta({ description: 'Errors of the ABI that can be decoded' }),
  abi: z.array(abiItemSchema).meta({ description: 'The ABI that was given' }),
});
/** An addition to the interface: an ABI that a user set for an address. */
export type GivenAbi = z.infer<typeof abiSchema>;

const none = z.object({});

/** The routes of given ABIs in `ROUTES`. */
export const ABI_ROUTES = {
  putAbi: {
    method: 'put',
    paths: ['/v1/abi/:chain/:address'],
    summary:
      "Give the ABI of an address, for your own analyses of this chain and of its forks (ours). Takes a JSON ABI, declarations, a compiler's artifact, or an answer of Etherscan",
    scope: 'analyze',
    params: abiAddress,
    query: none,
    body: putAbiBody,
    data: abiSchema,
    errors: ['chainNotFound'],
  },
  getAbi: {
    method: 'get',
    paths: ['/v1/abi/:chain/:address'],
    summary: 'The ABI that you gave for an address (ours)',
    scope: 'analyze',
    params: abiAddress,
    query: none,
    body: none,
    data: abiSchema,
    errors: ['chainNotFound', 'abiNotFound'],
  },
  deleteAbi: {
    method: 'delete',
    paths: ['/v1/abi/:chain/:address'],
    summary: 'Delete the ABI that you gave for an address (ours)',
    scope: 'analyze',
    params: abiAddress,
    query: none,
    body: none,
    data: z.null(),
    errors: ['chainNotFound', 'abiNotFound'],
  },
} as const;

import * as z from 'zod';
import { readingSchema, type Reading } from './readings';
import { trailingSchema, type Trailing } from './trailing';

/** Sources of a decoding, from the most to the least trustworthy. */
export const DECODE_SOURCES = [
  'artifact',
  'sourcify',
  'etherscan',
  'user',
  'workspace',
  'built-in',
  'packages',
  '4byte',
] as const;
export type DecodeSource = (typeof DECODE_SOURCES)[number];

const sourceSchema = z.enum(DECODE_SOURCES).meta({
  description:
    'Ours: who said so. artifact: a compiled contract of the workspace with the same bytecode, or that its project deployed there; ' +
    'sourcify, etherscan: verified source; user: an ABI given for the address; workspace: a signature of the workspace that is tied ' +
    'to no address; built-in: a standard or well-known contract; packages: the ABIs of well-known npm packages; ' +
    '4byte: a signature database',
});

const GUESSES: ReadonlySet<DecodeSource | undefined> = new Set(['workspace', 'packages', '4byte']);

/** Whether names of a decoding rest on a matching selector alone, and on nothing that is known of the contract or its standard. */
export const isGuess = (source: DecodeSource | undefined): boolean => GUESSES.has(source);

/** A parameter with its value as text. */
export interface Param {
  name: string;
  type: string;
  value: string;
  /** An addition to the interface: calls inside the value. */
  nested?: NestedCall[] | undefined;
  /** An addition to the interface: what numbers of the value mean, where it is known. */
  readings?: Reading[] | undefined;
}

/** A call inside a parameter: of a batch, a multi-signature account, a proposal, a router's command. */
export interface NestedCall {
  /** Path inside the parameter, such as `[2]` or `[0].callData`; empty for the parameter itself. */
  path: string;
  /** Called address; empty if the data does not contain it. */
  to: string;
  /** Ether, plain decimal; empty if the data does not contain it. */
  value: string;
  name: string;
  signature: string;
  callParams: Param[];
  source?: DecodeSource | undefined;
  /** DELEGATECALL where the account runs the code itself; left out for a plain call. */
  operation?: 'DELEGATECALL' | undefined;
  /** The call may fail without undoing the others; left out where the data does not say so. */
  mayFail?: true | undefined;
  /** Bytes after the arguments; left out for none. */
  trailing?: Trailing[] | undefined;
}

export const trailingField = z
  .array(trailingSchema)
  .optional()
  .meta({ description: 'Ours: bytes after the arguments, in their order; left out for none' });

export const paramSchema: z.ZodType<Param> = z
  .object({
    name: z.string().meta({ description: 'Of the parameter; empty where it has none' }),
    type: z.string().meta({ description: 'Canonical ABI type' }),
    value: z.string().meta({
      description:
        'Integers plain decimal, addresses lower case, bytes 0x hex, arrays and tuples as JSON text',
    }),
    get nested() {
      return z
        .array(nestedCallSchema)
        .optional()
        .meta({ description: 'Ours: calls that the value holds' });
    },
    readings: z
      .array(readingSchema)
      .optional()
      .meta({ description: 'Ours: amounts and times in the value, where they are known' }),
  })
  .meta({ id: 'Param' });

const nestedCallSchema: z.ZodType<NestedCall> = z
  .object({
    path: z.string().meta({ description: 'Place inside the parameter; empty: the whole of it' }),
    to: z.string().meta({ description: 'Empty where the data does not say' }),
    value: z.string().meta({ description: 'Ether, plain decimal; empty where unknown' }),
    name: z.string().meta({ description: 'Of the method; empty where it cannot be decoded' }),
    signature: z.string().meta({ description: 'Empty where it cannot be decoded' }),
    get callParams() {
      return z.array(paramSchema).meta({ description: 'Decoded arguments' });
    },
    source: sourceSchema.optional(),
    operation: z.literal('DELEGATECALL').optional().meta({
      description: 'Where the account runs the code itself; left out for a plain call',
    }),
    mayFail: z.literal(true).optional().meta({
      description:
        'The call may fail without undoing the others; left out where the data does not say so',
    }),
    trailing: trailingField,
  })
  .meta({ id: 'NestedCall' });

const signature = z.string().meta({ description: 'Such as transfer(address,uint256)' });
const alternativeSchema = z.object({ signature, source: sourceSchema });

export const decodedMethodSchema = z.object({
  name: z.string().meta({ description: 'Of the method' }),
  signature,
  callParams: z.array(paramSchema).meta({ description: 'Decoded arguments' }),
  returnParams: z.array(paramSchema).meta({ description: 'Decoded return values' }),
  constructorArguments: z.string().meta({
    description: 'Of a creation whose code is known: the ABI-encoded arguments, 0x hex; else empty',
  }),
  source: sourceSchema.optional(),
  trailing: trailingField,
  alternatives: z
    .array(alternativeSchema)
    .optional()
    .meta({ description: 'Ours: other signatures that fit the same bytes, best first, at most 5' }),
});

export const decodedLogSchema = z.object({
  name: z.string().meta({ description: 'Of the event; empty where it is not decoded' }),
  signature: z.string().meta({ description: 'Empty where the event is not decoded' }),
  params: z.array(paramSchema).meta({ description: 'An indexed dynamic one shows its topic' }),
  source: sourceSchema.optional(),
});

export type DecodedMethod = z.infer<typeof decodedMethodSchema>;
export type DecodedLog = z.infer<typeof decodedLogSchema>;

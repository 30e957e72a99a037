import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { heightSchema } from './height';
import { addressSchema, networkSchema } from './primitives';

const none = z.object({});

export const sourceOriginSchema = z
  .enum(['workspace', 'sandbox', 'sourcify', 'etherscan', 'blockscout'])
  .meta({
    description:
      'Where a source is from: workspace for the artifact folders, sandbox for the built-in chain, else the service that verified it',
  });
export type SourceOrigin = z.infer<typeof sourceOriginSchema>;

const memberSchema = z.object({
  label: z.string().meta({ description: 'Name of the variable or member' }),
  offset: z.int().meta({ description: 'Bytes from the right end of the slot' }),
  slot: z.string().meta({ description: 'Decimal' }),
  type: z.string().meta({ description: 'Key in `types`' }),
});
export const layoutSchema = z.object({
  storage: z.array(memberSchema).meta({ description: 'Variables, in order' }),
  types: z
    .record(
      z.string(),
      z.object({
        encoding: z.string().meta({ description: 'inplace, mapping, dynamic_array or bytes' }),
        label: z.string().meta({ description: 'As written in the source' }),
        numberOfBytes: z.string().meta({ description: 'Decimal' }),
        key: z.string().optional().meta({ description: 'Of a mapping: key in `types`' }),
        value: z.string().optional().meta({ description: 'Of a mapping: key in `types`' }),
        base: z.string().optional().meta({ description: 'Of an array: key in `types`' }),
        members: z.array(memberSchema).optional().meta({ description: 'Of a struct' }),
      }),
    )
    .nullish()
    .meta({ description: 'Types of the variables' }),
});

export const contractSourceSchema = z.object({
  name: z.string().meta({ description: 'Name of the contract; empty where unknown' }),
  language: z.string().meta({ description: 'Such as Solidity; empty where unknown' }),
  compilerVersion: z
    .string()
    .meta({ description: 'Such as 0.8.30+commit.73712a01; empty where unknown' }),
  settings: z
    .object({
      optimizer: z.boolean().optional().meta({ description: 'Whether the optimizer ran' }),
      runs: z.int().optional().meta({ description: 'Of the optimizer' }),
      viaIR: z.boolean().optional().meta({ description: 'Whether it was compiled through Yul' }),
      evmVersion: z.string().optional().meta({ description: 'Hardfork that was compiled for' }),
    })
    .meta({ description: 'Settings of the compiler; unknown ones are left out' }),
  from: sourceOriginSchema,
  match: z.enum(['exact', 'withoutMetadata', 'unchecked']).meta({
    description:
      'How the compiled code equals the code on the chain, immutables and library addresses aside: exact; withoutMetadata: its metadata differs, so comments and names of files may; unchecked: the service gives no compiled code to compare',
  }),
  files: z
    .array(
      z.object({
        name: z.string().meta({ description: 'Path in the compilation: relative, without `..`' }),
        id: z.int().optional().meta({ description: 'Its id in the source maps' }),
        content: z.string().optional().meta({
          description: 'The compiled text; left out where it is unknown, because the file changed',
        }),
      }),
    )
    .meta({ description: 'With `file`, that one alone' }),
  hasMap: z.boolean().meta({ description: 'Whether instructions have places in the source' }),
  storageLayout: layoutSchema.optional().meta({ description: 'Left out where unknown' }),
  immutables: z
    .array(
      z.object({
        name: z.string().meta({ description: 'Empty where unknown' }),
        type: z.string().meta({ description: 'As written in the source; empty where unknown' }),
        value: z.string().meta({ description: 'Its word in the code, 0x hex' }),
      }),
    )
    .optional()
    .meta({ description: 'Left out where unknown' }),
});
export type ContractSource = z.infer<typeof contractSourceSchema>;

const codeSourceSchema = z.object({
  address: z.string().meta({ description: 'Account of the code, lower case' }),
  codeHash: z.string().meta({ description: 'Keccak-256 of the code' }),
  source: contractSourceSchema.nullable().meta({ description: 'null where unknown' }),
});

export const addressSourceSchema = codeSourceSchema.extend({
  blockNumber: z.int().meta({ description: 'Block after which the code was read' }),
  implementation: codeSourceSchema.optional().meta({
    description:
      'Target of the calls of a proxy, a clone or a delegating account, and its source; left out where there is none',
  }),
  facets: z.array(z.string()).optional().meta({ description: 'Addresses of a diamond’s targets' }),
});
/** The source of the code at an address. */
export type AddressSource = z.infer<typeof addressSourceSchema>;

/** The routes of `ROUTES` that return sources. */
export const SOURCE_ROUTES = {
  getAddressSource: {
    method: 'get',
    paths: ['/v1/explorer/:chain/address/:address/source'],
    summary: 'Source of the code at an address: files, compilation, and how it was matched (ours)',
    scope: 'analyze',
    params: z.object({
      chain: networkSchema,
      address: addressSchema,
    }),
    query: z.object({
      block: heightSchema.optional().meta({
        description:
          'Block after which the code is read: a number (decimal or 0x hex), safe, finalized, latest or earliest; omitted: latest',
      }),
      file: z.string().max(1_024).optional().meta({
        description: 'Name of a file: the answer has that one alone, or none',
      }),
    }),
    body: none,
    data: addressSourceSchema,
    errors: CHAIN_ERRORS,
  },
} as const;

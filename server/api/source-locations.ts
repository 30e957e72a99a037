import * as z from 'zod';
import { sourceOriginSchema } from './contract-source';

/** A range of a source file. Lines and columns start at 1, columns count UTF-16 units. The end is exclusive. */
export const sourcePlaceSchema = z.object({
  file: z.string().meta({
    description:
      "The compiler's name of the file, such as src/Vault.sol: from the project's folder",
  }),
  startLine: z.int().meta({ description: 'From 1' }),
  startColumn: z.int().meta({ description: 'From 1, in UTF-16 units' }),
  endLine: z.int().meta({ description: 'From 1' }),
  endColumn: z.int().meta({ description: 'After the last character, from 1, in UTF-16 units' }),
  from: sourceOriginSchema.optional(),
  address: z.string().optional().meta({
    description: 'Account whose source it is: `address/<address>/source` has the text',
  }),
});

export const sourceLocationSchema = z.object({
  nodeId: z.int().meta({ description: 'Call of the invocation flow' }),
  contract: z.string().meta({ description: 'Name of the contract whose code runs; or empty' }),
  function: sourcePlaceSchema
    .optional()
    .meta({ description: 'Declaration of the function that was called' }),
  callSite: sourcePlaceSchema
    .optional()
    .meta({ description: 'The expression in the caller that made the call' }),
  failure: sourcePlaceSchema
    .optional()
    .meta({ description: 'The statement that failed, or that passed a failure on' }),
});

const codeFields = {
  address: z
    .string()
    .meta({ description: 'Account of the code, lower case; of a failed creation 0' }),
  isCreation: z.boolean().meta({ description: 'Whether it is creation code' }),
  calls: z.array(z.int()).meta({ description: 'Calls of the invocation flow that execute it' }),
};

const knownCodeSchema = z.object({
  ...codeFields,
  contract: z.string().meta({ description: 'Name of the contract; empty where unknown' }),
  from: sourceOriginSchema,
  hasMap: z.boolean().meta({ description: 'Whether instructions have places in the source' }),
  reason: z.string().optional().meta({ description: 'Why they have none, and what to do' }),
  declaration: sourcePlaceSchema.optional().meta({
    description:
      'Where the source opens: the declaration of the contract, else a file; left out where the project’s files changed',
  }),
});

const unknownCodeSchema = z.object({
  ...codeFields,
  reason: z.string().meta({ description: 'Why its source is not known, and what to do' }),
});

export const sourceLocationsSchema = z.object({
  status: z.boolean().meta({ description: 'false: the transaction reverted' }),
  locations: z.array(sourceLocationSchema).meta({
    description: 'Of the calls whose source, or whose caller’s, is known',
  }),
  changed: z.array(z.string()).meta({
    description: 'Files that are no longer what was compiled: nothing is said about them',
  }),
  incomplete: z.string().optional().meta({
    description:
      'Why there are functions only: neither the node nor the engine reports the positions of calls',
  }),
  sources: z
    .array(knownCodeSchema)
    .optional()
    .meta({ description: 'Executed codes whose source is known, in order of first use' }),
  unknown: z
    .array(unknownCodeSchema)
    .optional()
    .meta({ description: 'Executed codes whose source is not known, in order of first use' }),
});

export type SourcePlace = z.infer<typeof sourcePlaceSchema>;
export type SourceLocation = z.infer<typeof sourceLocationSchema>;
export type KnownCode = z.infer<typeof knownCodeSchema>;
export type UnknownCode = z.infer<typeof unknownCodeSchema>;
export type SourceLocations = z.infer<typeof sourceLocationsSchema>;

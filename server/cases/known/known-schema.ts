import * as z from 'zod';
import { abiItemSchema } from '../../api/abi';
import { sourceOriginSchema } from '../../api/contract-source';
import { DECODE_SOURCES } from '../../api/decoding';
import { addressSchema } from '../../api/primitives';
import { visibleText } from '../../api/visible-text';
import { layoutSchema } from '../../contracts/abi/artifact';

/** Texts of a file by anyone: no control or direction characters. */
const label = z.string().max(1_024).overwrite(visibleText);
/** Remappings of a project, at most. */
const MOST_SETTINGS = 1_000;
const abi = z.array(abiItemSchema).max(20_000);
const source = z.enum(DECODE_SOURCES);
const hex = z.string().regex(/^[0-9a-f]*$/);

const interfaceSchema = z.object({ source, abi });
const contractSchema = interfaceSchema.extend({
  name: label,
  constructorArguments: hex.optional(),
  layout: layoutSchema,
});
const mappedSchema = z.object({
  object: hex,
  sourceMap: z
    .string()
    .regex(/^[-\d:;io]*$/)
    .optional(),
});
const ranges = z.array(z.object({ start: z.int().min(0), length: z.int().min(0) }));
/** Of the compiler. The order of the members is kept, as answers have it. */
const settingsSchema = z.strictObject({
  optimizer: z.boolean().optional(),
  runs: z.int().optional(),
  viaIR: z.boolean().optional(),
  evmVersion: label.optional(),
});
/** What the compiler was given, as far as a build without the optimizer needs it. */
const inputSchema = z.object({
  compilerVersion: label,
  settings: z.object({
    remappings: z.array(label).max(MOST_SETTINGS).optional(),
    evmVersion: label.optional(),
    libraries: z.record(label, z.record(label, label)).optional(),
    metadata: z.record(label, z.union([z.boolean(), label])).optional(),
    debug: z.record(label, z.union([label, z.array(label).max(MOST_SETTINGS)])).optional(),
  }),
  /** Name of a file, and an index in `texts`. */
  sources: z.array(z.tuple([label, z.int().min(0)])),
});
export type KnownInput = z.infer<typeof inputSchema>;
export const inputSettingsSchema = inputSchema.shape.settings;

const compilationSchema = z.object({
  origin: sourceOriginSchema,
  contractName: label,
  language: label,
  compilerVersion: label,
  settings: z
    .record(z.string(), z.union([z.boolean(), z.int(), label]))
    .refine((given) => settingsSchema.safeParse(given).success),
  deployed: mappedSchema.optional(),
  creation: mappedSchema.optional(),
  /** `text` is an index in `texts`. */
  files: z.array(
    z.object({ name: label, id: z.int().optional(), text: z.int().min(0).optional() }),
  ),
  storageLayout: layoutSchema,
  transientStorageLayout: layoutSchema,
  immutableReferences: z.record(z.string(), ranges).optional(),
  input: inputSchema.optional(),
  /** Id of a file, and an index in `trees`. */
  trees: z.array(z.tuple([z.int(), z.int().min(0)])).optional(),
});
export type KnownCompilation = z.infer<typeof compilationSchema>;

const matchedSchema = z.object({
  /** Index in `compilations`. */
  compilation: z.int().min(0),
  match: z.enum(['exact', 'withoutMetadata', 'unchecked']),
});
const sourceSchema = matchedSchema.extend({
  recompiled: z.union([matchedSchema, z.object({ reason: label })]).optional(),
});
export type KnownSourceRecord = z.infer<typeof sourceSchema>;

const labels = z.record(addressSchema, label);
/** Names of contracts of a case by address and code: `<address> <16 hex digits of the Keccak-256 of its code>`. */
const place = z.string().regex(/^0x[0-9a-f]{40} [cd] [0-9a-f]{16}$/);

/** What services, the user's own files and the user knew of the contracts of a case. */
export const knownSchema = z.object({
  contracts: z.record(place, contractSchema),
  /** ABIs that the user gave, by address. */
  given: z.record(addressSchema, contractSchema),
  /** By the Keccak-256 of the init code. */
  creations: z.record(hex, interfaceSchema.extend({ name: label, offset: z.int().min(0) })),
  /** Signatures without a contract, by the number of their source in the order of trust. */
  signatures: z.array(z.object({ list: z.int().min(0).max(15), known: interfaceSchema })),
  sources: z.record(place, sourceSchema),
  compilations: z.array(compilationSchema),
  texts: z.array(z.string()),
  trees: z.array(z.unknown()),
  prices: z.array(
    z.object({
      asset: z.string().max(128),
      timestamp: z.int(),
      value: z.string().regex(/^\d{1,80}$/),
      decimals: z.int().min(0).max(255),
      source: label.optional(),
      time: z.int().optional(),
    }),
  ),
  /** Names of addresses: of the configuration, and of the user. */
  labels: z.object({ configured: labels, user: labels }),
});
export type Known = z.infer<typeof knownSchema>;

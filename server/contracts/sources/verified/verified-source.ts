import * as z from 'zod';
import type { Network } from '../../../analysis/ports';
import type { Address } from '../../../api/primitives';
import type { SourceOrigin } from '../../../api/contract-source';
import { storageLayoutSchema } from './storage-layout-schema';

/** A contract's deployed code is at most 24,576 bytes (EIP-170), its init code twice that (EIP-3860); chains may allow more. */
export const MAX_CODE_BYTES = 512 * 1024;
const MAX_MAP_CHARACTERS = 8 * 1024 * 1024;
export const MAX_RANGES = 10_000;
/** Increment it with every change of what is kept. */
export const FORMAT = 2;

const rangeSchema = z.object({
  start: z.int().min(0).max(MAX_CODE_BYTES),
  length: z.int().min(1).max(MAX_CODE_BYTES),
});
const rangesSchema = z.array(rangeSchema).max(MAX_RANGES);

const codeSchema = z.object({
  /** Hex digits. */
  object: z
    .string()
    .max(2 * MAX_CODE_BYTES)
    .regex(/^[0-9a-f]+$/)
    .refine(({ length }) => length % 2 === 0),
  sourceMap: z
    .string()
    .max(MAX_MAP_CHARACTERS)
    .regex(/^[-\d:;io]*$/)
    .optional()
    .catch(undefined),
  /** Immutables and library addresses. */
  masks: rangesSchema,
  metadata: rangesSchema,
});
export type VerifiedCode = z.infer<typeof codeSchema>;

const MAX_SETTINGS = 64 * 1024;

/** A verified source, cleaned: as it is kept on disk. */
export const verifiedSourceSchema = z.object({
  /** Another form on disk is fetched again. */
  format: z.literal(FORMAT),
  contractName: z.string(),
  language: z.string(),
  compilerVersion: z.string(),
  settings: z.object({
    optimizer: z.boolean().optional(),
    runs: z.int().optional(),
    viaIR: z.boolean().optional(),
    evmVersion: z.string().optional(),
  }),
  /** As the compiler got them: JSON. Undefined if they are not known. */
  compilerSettings: z.string().max(MAX_SETTINGS).optional().catch(undefined),
  files: z.array(
    z.object({
      name: z.string(),
      /** Its name in the compilation, if another one. */
      compiledAs: z.string().optional(),
      id: z.int().optional(),
      content: z.string(),
    }),
  ),
  deployed: codeSchema.optional().catch(undefined),
  creation: codeSchema.optional().catch(undefined),
  immutableReferences: z.record(z.string(), rangesSchema).optional().catch(undefined),
  storageLayout: storageLayoutSchema.optional().catch(undefined),
  transientStorageLayout: storageLayoutSchema.optional().catch(undefined),
});
export type VerifiedSource = z.infer<typeof verifiedSourceSchema>;

/** Settings that the code depends on. The others choose output, or start further programs. */
const USED_SETTINGS = [
  'remappings',
  'optimizer',
  'evmVersion',
  'viaIR',
  'metadata',
  'libraries',
  'debug',
];

/** Settings of the compiler by anyone, as they are kept. */
export function keptSettings(settings: Readonly<Record<string, unknown>>): string | undefined {
  const used = USED_SETTINGS.flatMap((name) => {
    const value = settings[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  try {
    const text = JSON.stringify(Object.fromEntries(used));
    return text.length > MAX_SETTINGS ? undefined : text;
  } catch {
    return undefined; // nested too deeply
  }
}

/** A service that publishes verified sources. */
export interface SourceService {
  readonly name: Extract<SourceOrigin, 'sourcify' | 'etherscan' | 'blockscout'>;
  /**
   * @returns null: not verified there, or too large; undefined: no usable answer at present
   * @throws the signal's reason
   */
  find(
    network: Pick<Network, 'key' | 'chain' | 'chainId'>,
    address: Address,
    signal: AbortSignal,
  ): Promise<VerifiedSource | null | undefined>;
}

import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { layoutSchema } from '../abi/artifact';
import { LIMITS } from '../../api/limits';
import { readJson } from './compilation';

const artifactSchema = z.object({
  contractName: z.string(),
  sourceName: z.string(),
  /** Of Hardhat 3. */
  buildInfoId: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
  inputSourceName: z.string().optional(),
});
const debugSchema = z.object({ buildInfo: z.string() });
const code = z.object({ object: z.string(), sourceMap: z.string() });
const immutables = z.record(
  z.string(),
  z.array(z.object({ start: z.int().min(0), length: z.int().min(0) })),
);
const contractSchema = z.object({
  evm: z
    .object({
      bytecode: code.optional(),
      deployedBytecode: code.extend({ immutableReferences: immutables.optional() }).optional(),
    })
    .optional(),
  metadata: z.string().optional(),
  storageLayout: layoutSchema,
  transientStorageLayout: layoutSchema,
});
const inputSchema = z.object({
  solcLongVersion: z.string().catch(''),
  input: z.object({
    language: z.string().catch(''),
    sources: z.record(z.string(), z.object({ content: z.string() })),
    settings: z
      .object({
        optimizer: z.object({ enabled: z.boolean().optional(), runs: z.int().optional() }),
        viaIR: z.boolean().optional(),
        evmVersion: z.string().optional(),
      })
      .partial()
      .catch({}),
  }),
});
const outputSchema = z.object({
  output: z.object({
    sources: z.record(z.string(), z.object({ id: z.int() })),
    contracts: z.record(z.string(), z.record(z.string(), contractSchema)),
  }),
});
const wholeSchema = inputSchema.extend(outputSchema.shape);

export type HardhatInput = z.infer<typeof inputSchema>['input'];

/** The compilation that wrote an artifact of Hardhat. */
export interface HardhatBuild {
  readonly contractName: string;
  /** Name of its source in the compilation. */
  readonly sourceName: string;
  /** Paths of the compiler's input and output: one file up to Hardhat 2, two of Hardhat 3. */
  readonly input: string;
  readonly output: string;
}

/** Finds the build info of an artifact `artifacts/…/<Contract>.json`; undefined if it is none of Hardhat. */
export async function hardhatBuild(path: string): Promise<HardhatBuild | undefined> {
  const artifact = await readJson(path, artifactSchema, LIMITS.buildInfoFile);
  if (!artifact) return undefined;
  const { contractName, sourceName, buildInfoId, inputSourceName = sourceName } = artifact;
  if (buildInfoId !== undefined) {
    const up = '../'.repeat(sourceName.split('/').length);
    const base = join(dirname(path), up, 'build-info', buildInfoId);
    const files = { input: `${base}.json`, output: `${base}.output.json` };
    return { contractName, sourceName: inputSourceName, ...files };
  }
  const debugFile = path.replace(/\.json$/, '.dbg.json');
  const debug = await readJson(debugFile, debugSchema, LIMITS.buildInfoFile);
  if (!debug) return undefined;
  const file = resolve(dirname(path), debug.buildInfo);
  return { contractName, sourceName, input: file, output: file };
}

/** Reads the compiler's input and output; undefined if one is missing or invalid. */
export async function readBuildInfo({
  input,
  output,
}: HardhatBuild): Promise<z.infer<typeof wholeSchema> | undefined> {
  if (input === output) return readJson(input, wholeSchema, LIMITS.buildInfoFile);
  const [given, made] = await Promise.all([
    readJson(input, inputSchema, LIMITS.buildInfoFile),
    readJson(output, outputSchema, LIMITS.buildInfoFile),
  ]);
  return given && made && { ...given, ...made };
}

/** Where Hardhat 3 has a file that it compiled as `project/…` or `npm/<package>@<version>/…`, in the project's folder. */
export function pathInProject(name: string): string | undefined {
  const [, own] = /^project\/(.+)$/.exec(name) ?? [];
  if (own !== undefined) return own;
  const [, library, file] = /^npm\/((?:@[^/]+\/)?[^/@]+)@[^/]+\/(.+)$/.exec(name) ?? [];
  return library === undefined || file === undefined
    ? undefined
    : `node_modules/${library}/${file}`;
}

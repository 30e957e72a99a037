import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { ContractSource } from '../../server/api/contract-source';
import { artifactFiles } from './artifact-files';

export type StorageLayout = NonNullable<ContractSource['storageLayout']>;

/** The runtime code of a contract as the build wrote it. */
export interface CompiledCode {
  /** Path of the artifact. */
  artifact: string;
  /** When the build wrote it, in milliseconds since 1970. */
  writtenMs: number;
  /** Hex digits without `0x`. Libraries are placeholders, immutables zeros. */
  object: string;
  immutables: Immutable[];
  /** Undefined where the build does not write it. */
  layout: StorageLayout | undefined;
}

/** An immutable variable: the constructor writes its value into the code. */
export interface Immutable {
  /** Undefined where the build keeps no syntax tree. */
  name: string | undefined;
  /** In bytes of the code. */
  ranges: { start: number; length: number }[];
}

const ranges = z.record(
  z.string(),
  z.array(z.object({ start: z.int().min(0), length: z.int().min(0).max(32) })),
);
/** Hex digits with placeholders for libraries. */
export const codeSchema = z.string().regex(/^(0x)?([0-9a-fA-F]|__[$\w./:@-]{36}__)*$/);
const layout = z.custom<StorageLayout>(
  (value) => z.object({ storage: z.array(z.unknown()) }).safeParse(value).success,
);
const deployed = z.object({ object: codeSchema, immutableReferences: ranges.default({}) });
const foundryArtifact = z.object({
  deployedBytecode: deployed,
  storageLayout: layout.optional().catch(undefined),
  ast: z.unknown().optional(),
});
const hardhatArtifact = z.object({
  contractName: z.string(),
  sourceName: z.string(),
  deployedBytecode: codeSchema,
  immutableReferences: ranges.optional(),
  // Of Hardhat 3.
  inputSourceName: z.string().optional(),
  buildInfoId: z
    .string()
    .regex(/^[\w.-]+$/)
    .optional(),
});
const hardhatDebug = z.object({ buildInfo: z.string() });
const buildInfo = z.object({
  output: z.object({
    sources: z.record(z.string(), z.object({ ast: z.unknown().optional() })),
    contracts: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          evm: z.object({ deployedBytecode: deployed }),
          storageLayout: layout.optional().catch(undefined),
        }),
      ),
    ),
  }),
});

/**
 * Reads the runtime code of a contract from the build output of Foundry or Hardhat.
 * @param source path of the contract's source
 * @param outputs build output folders
 * @returns undefined if the contract was not compiled, or has no code
 */
export async function compiledCode(
  { source, contract }: { source: string; contract: string },
  outputs: readonly string[],
): Promise<CompiledCode | undefined> {
  for (const output of outputs) {
    for (const artifact of artifactFiles(output, source, contract)) {
      const json = await readJson(artifact);
      if (json === undefined) continue;
      const code = foundryCode(json) ?? (await hardhatCode(artifact, json));
      if (code === undefined || code.object === '') continue;
      const { mtimeMs } = await stat(artifact);
      return { artifact, writtenMs: mtimeMs, ...code };
    }
  }
  return undefined;
}

type Code = Pick<CompiledCode, 'object' | 'immutables' | 'layout'>;

function foundryCode(json: unknown): Code | undefined {
  const { data } = foundryArtifact.safeParse(json);
  if (data === undefined) return undefined;
  const { deployedBytecode, storageLayout, ast } = data;
  return codeOf(deployedBytecode, storageLayout, [ast]);
}

/** Hardhat's compiler output is in a build info. */
async function hardhatCode(artifact: string, json: unknown): Promise<Code | undefined> {
  const { data } = hardhatArtifact.safeParse(json);
  if (data === undefined) return undefined;
  const { contractName, deployedBytecode, immutableReferences = {} } = data;
  const { inputSourceName: sourceName = data.sourceName } = data;
  const file = await compilerOutput(artifact, data);
  const info = file === undefined ? undefined : buildInfo.safeParse(await readJson(file)).data;
  const compiled = info?.output.contracts[sourceName]?.[contractName];
  if (info === undefined || compiled === undefined) {
    return codeOf({ object: deployedBytecode, immutableReferences }, undefined, []);
  }
  const trees = Object.values(info.output.sources).map(({ ast }) => ast);
  return codeOf(compiled.evm.deployedBytecode, compiled.storageLayout, trees);
}

/** Hardhat 3 names it in the artifact, earlier ones in the artifact's companion. */
async function compilerOutput(
  artifact: string,
  { sourceName, buildInfoId }: z.infer<typeof hardhatArtifact>,
): Promise<string | undefined> {
  const folder = path.dirname(artifact);
  if (buildInfoId !== undefined) {
    const up = '../'.repeat(sourceName.split('/').length);
    return path.join(folder, up, 'build-info', `${buildInfoId}.output.json`);
  }
  const debug = hardhatDebug.safeParse(await readJson(artifact.replace(/\.json$/, '.dbg.json')));
  return debug.data && path.resolve(folder, debug.data.buildInfo);
}

function codeOf(
  { object: text, immutableReferences }: z.infer<typeof deployed>,
  storageLayout: StorageLayout | undefined,
  trees: readonly unknown[],
): Code {
  const ids = Object.keys(immutableReferences);
  const names = ids.length === 0 ? new Map<string, string>() : declaredNames(trees, new Set(ids));
  return {
    object: text.replace(/^0x/, '').toLowerCase(),
    immutables: ids.map((id) => ({
      name: names.get(id),
      ranges: immutableReferences[id] ?? [],
    })),
    layout: storageLayout,
  };
}

/** Names of declarations by their id in the syntax trees. */
function declaredNames(
  trees: readonly unknown[],
  ids: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const pending = [...trees];
  for (let node = pending.pop(); node !== undefined || pending.length > 0; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { nodeType, id, name } = node as { nodeType?: unknown; id?: unknown; name?: unknown };
    if (nodeType === 'VariableDeclaration' && typeof name === 'string' && ids.has(String(id))) {
      names.set(String(id), name);
    }
    for (const child of Object.values(node) as unknown[]) {
      if (typeof child === 'object' && child !== null) pending.push(child);
    }
  }
  return names;
}

/** @returns undefined if the file is missing, or is not JSON: the project may be compiled at this moment */
async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch {
    return undefined;
  }
}

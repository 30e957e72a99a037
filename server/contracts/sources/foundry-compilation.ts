import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { LIMITS } from '../../api/limits';
import { readJson, type Compilation, type CompiledFile, type CompilerInput } from './compilation';

const immutables = z.record(
  z.string(),
  z.array(z.object({ start: z.int().min(0), length: z.int().min(0) })),
);
const code = z.object({ object: z.string(), sourceMap: z.string() });
const artifactSchema = z.object({
  bytecode: code.optional(),
  deployedBytecode: code.extend({ immutableReferences: immutables.optional() }).optional(),
  metadata: z.object({
    compiler: z.object({ version: z.string() }).optional().catch(undefined),
    language: z.string().catch(''),
    sources: z.record(z.string(), z.object({ keccak256: z.string() })),
    settings: z.object({
      compilationTarget: z.record(z.string(), z.string()),
      optimizer: z
        .object({ enabled: z.boolean().optional(), runs: z.int().optional() })
        .optional()
        .catch(undefined),
      viaIR: z.boolean().optional().catch(undefined),
      evmVersion: z.string().optional().catch(undefined),
    }),
  }),
  id: z.int(),
});
const wholeSettingsSchema = z.object({
  metadata: z.object({
    compiler: z.object({ version: z.string() }),
    sources: z.record(z.string(), z.unknown()),
    settings: z
      .object({ libraries: z.record(z.string(), z.string()).optional() })
      .catchall(z.unknown()),
  }),
});
const buildInfoSchema = z.object({ source_id_to_path: z.record(z.string(), z.string()) });
const treeSchema = z.object({ ast: z.looseObject({ absolutePath: z.string() }), id: z.int() });

/** Reads Foundry's artifact `out/<File>.sol/<Contract>.json` with its build info; undefined if it is not one, or has no source map. */
export async function foundryCompilation(path: string): Promise<Compilation | undefined> {
  const artifact = await readJson(path, artifactSchema, LIMITS.artifactFile);
  if (!artifact) return undefined;
  const { bytecode, deployedBytecode, metadata, id } = artifact;
  const { compilationTarget, optimizer, viaIR, evmVersion } = metadata.settings;
  const [[target, contractName] = ['', '']] = Object.entries(compilationTarget);
  const paths = await sourcePaths(path, (names) => names[String(id)] === target);
  if (!paths) return undefined;
  const files: CompiledFile[] = [];
  for (const [fileId, name] of Object.entries(paths)) {
    const source = metadata.sources[name];
    if (source) files.push({ name, id: Number(fileId), keccak256: source.keccak256 });
  }
  return {
    origin: 'workspace',
    contractName,
    language: metadata.language,
    compilerVersion: metadata.compiler?.version ?? '',
    settings: { optimizer: optimizer?.enabled, runs: optimizer?.runs, viaIR, evmVersion },
    deployed: bare(deployedBytecode),
    creation: bare(bytecode),
    files,
    immutableReferences: deployedBytecode?.immutableReferences,
    artifact: path,
    ...(metadata.language === 'Solidity' && { input: (texts) => compilerInput(path, texts) }),
    ast: () => syntaxTrees(dirname(dirname(path)), files),
  };
}

/** Settings of the metadata in the form of the compiler's input, with all files that the contract was compiled from. */
async function compilerInput(
  path: string,
  texts: CompilerInput['sources'],
): Promise<CompilerInput | undefined> {
  const artifact = await readJson(path, wholeSettingsSchema, LIMITS.artifactFile);
  if (!artifact) return undefined;
  const { compiler, settings, sources } = artifact.metadata;
  if (Object.keys(sources).some((name) => texts[name] === undefined)) return undefined;
  const { libraries, ...given } = settings;
  delete given['compilationTarget'];
  const linked: Record<string, Record<string, string>> = {};
  for (const [library, address] of Object.entries(libraries ?? {})) {
    const [, file = '', name = ''] = /^(?:(.*):)?([^:]+)$/.exec(library) ?? [];
    linked[file] = { ...linked[file], [name]: address };
  }
  return {
    compilerVersion: compiler.version,
    sources: texts,
    settings: { ...given, libraries: linked },
  };
}

/** File names by id, from the compilation that wrote the artifact: ids of other compilations refer to other files. */
async function sourcePaths(
  artifact: string,
  fits: (names: Record<string, string>) => boolean,
): Promise<Record<string, string> | undefined> {
  const folder = join(dirname(dirname(artifact)), 'build-info');
  const written = (await stat(artifact)).mtimeMs;
  const entries = await readdir(folder).catch(() => []);
  const infos = await Promise.all(
    entries
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const { mtimeMs } = await stat(join(folder, name));
        return { path: join(folder, name), distance: Math.abs(mtimeMs - written) };
      }),
  );
  for (const { path } of infos.sort((a, b) => a.distance - b.distance)) {
    const info = await readJson(path, buildInfoSchema, LIMITS.buildInfoFile);
    if (info && fits(info.source_id_to_path)) return info.source_id_to_path;
  }
  return undefined;
}

/** Syntax trees, from any artifact of each file; undefined if the project does not write them (`ast = true`). */
async function syntaxTrees(
  out: string,
  files: readonly CompiledFile[],
): Promise<ReadonlyMap<number, unknown> | undefined> {
  const trees = new Map<number, unknown>();
  for (const { name, id } of files) {
    const folder = join(out, basename(name));
    for (const entry of await readdir(folder).catch(() => [])) {
      if (!entry.endsWith('.json')) continue;
      const tree = await readJson(join(folder, entry), treeSchema, LIMITS.artifactFile);
      if (tree?.ast.absolutePath !== name || tree.id !== id) continue;
      trees.set(id, tree.ast);
      break;
    }
  }
  return trees.size === 0 ? undefined : trees;
}

function bare(code: z.infer<typeof artifactSchema>['bytecode']): Compilation['deployed'] {
  return code && { ...code, object: code.object.replace(/^0x/, '') };
}

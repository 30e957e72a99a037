import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { LIMITS } from '../api/limits';
import { readJson, type Compilation, type CompiledFile } from './compiled-contract';

const code = z.object({ object: z.string(), sourceMap: z.string() });
const artifactSchema = z.object({
  bytecode: code.optional(),
  deployedBytecode: code.optional(),
  metadata: z.object({
    sources: z.record(z.string(), z.object({ keccak256: z.string() })),
    settings: z.object({ compilationTarget: z.record(z.string(), z.string()) }),
  }),
  id: z.int(),
});
const buildInfoSchema = z.object({ source_id_to_path: z.record(z.string(), z.string()) });

/** Reads Foundry's artifact `out/<File>.sol/<Contract>.json` with its build info; undefined if it is not one, or has no source map. */
export async function foundryCompilation(path: string): Promise<Compilation | undefined> {
  const artifact = await readJson(path, artifactSchema, LIMITS.artifactFile);
  if (!artifact) return undefined;
  const { bytecode, deployedBytecode, metadata, id } = artifact;
  const [target] = Object.keys(metadata.settings.compilationTarget);
  const paths = await sourcePaths(path, (names) => names[String(id)] === target);
  if (!paths) return undefined;
  const files = new Map<number, CompiledFile>();
  for (const [fileId, name] of Object.entries(paths)) {
    const source = metadata.sources[name];
    if (source) files.set(Number(fileId), { name, keccak256: source.keccak256 });
  }
  return { deployed: bare(deployedBytecode), creation: bare(bytecode), files };
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

function bare(code: z.infer<typeof artifactSchema>['bytecode']): Compilation['deployed'] {
  return code && { ...code, object: code.object.replace(/^0x/, '') };
}

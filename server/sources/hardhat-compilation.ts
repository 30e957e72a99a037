import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { LIMITS } from '../api/limits';
import { readJson, type Compilation, type CompiledFile } from './compiled-contract';

const debugSchema = z.object({ buildInfo: z.string() });
const artifactSchema = z.object({ contractName: z.string(), sourceName: z.string() });
const code = z.object({ object: z.string(), sourceMap: z.string() }).optional();
const buildInfoSchema = z.object({
  input: z.object({ sources: z.record(z.string(), z.object({ content: z.string() })) }),
  output: z.object({
    sources: z.record(z.string(), z.object({ id: z.int() })),
    contracts: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({ evm: z.object({ bytecode: code, deployedBytecode: code }).optional() }),
      ),
    ),
  }),
});

/** Reads Hardhat's artifact `artifacts/…/<Contract>.json` with its build info; undefined if it is not one. */
export async function hardhatCompilation(path: string): Promise<Compilation | undefined> {
  const [artifact, debug] = await Promise.all([
    readJson(path, artifactSchema, LIMITS.buildInfoFile),
    readJson(path.replace(/\.json$/, '.dbg.json'), debugSchema, LIMITS.buildInfoFile),
  ]);
  if (!artifact || !debug) return undefined;
  const info = await readJson(
    resolve(dirname(path), debug.buildInfo),
    buildInfoSchema,
    LIMITS.buildInfoFile,
  );
  const evm = info?.output.contracts[artifact.sourceName]?.[artifact.contractName]?.evm;
  if (!info || !evm) return undefined;
  const files = new Map<number, CompiledFile>();
  for (const [name, { id }] of Object.entries(info.output.sources)) {
    const source = info.input.sources[name];
    if (source) files.set(id, { name, content: source.content });
  }
  return { deployed: evm.deployedBytecode, creation: evm.bytecode, files };
}

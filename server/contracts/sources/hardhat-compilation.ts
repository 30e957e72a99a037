import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import * as z from 'zod';
import { LIMITS } from '../../api/limits';
import { readJson, type Compilation, type CompilerInput } from './compilation';
import {
  hardhatBuild,
  pathInProject,
  readBuildInfo,
  type HardhatBuild,
  type HardhatInput,
} from './hardhat-build-info';

const treesSchema = z.object({
  output: z.object({ sources: z.record(z.string(), z.object({ id: z.int(), ast: z.unknown() })) }),
});
const wholeInputSchema = z.object({
  solcLongVersion: z.string(),
  input: z.object({
    sources: z.record(z.string(), z.object({ content: z.string() })),
    settings: z.record(z.string(), z.unknown()),
  }),
});
const metadataSchema = z.object({ sources: z.record(z.string(), z.unknown()) });

/** Reads Hardhat's artifact `artifacts/…/<Contract>.json` with its build info; undefined if it is not one. */
export async function hardhatCompilation(path: string): Promise<Compilation | undefined> {
  const build = await hardhatBuild(path);
  const info = build && (await readBuildInfo(build));
  const contract = info?.output.contracts[build?.sourceName ?? '']?.[build?.contractName ?? ''];
  if (!build || !info || !contract?.evm) return undefined;
  const { input, output, solcLongVersion } = info;
  const { optimizer, viaIR, evmVersion } = input.settings;
  const imported = importedBy(contract.metadata);
  const files = Object.entries(output.sources).flatMap(([name, { id }]) => {
    const source = input.sources[name];
    if (!source || imported?.has(name) === false) return [];
    const path = pathInProject(name);
    return [{ name, id, content: source.content, ...(path !== undefined && { path }) }];
  });
  return {
    origin: 'workspace',
    contractName: build.contractName,
    language: input.language,
    compilerVersion: solcLongVersion,
    settings: { optimizer: isOptimized(input), runs: optimizer?.runs, viaIR, evmVersion },
    deployed: contract.evm.deployedBytecode,
    creation: contract.evm.bytecode,
    files,
    storageLayout: contract.storageLayout,
    transientStorageLayout: contract.transientStorageLayout,
    immutableReferences: contract.evm.deployedBytecode?.immutableReferences,
    artifact: path,
    ...(input.language === 'Solidity' && { input: () => wholeInput(build) }),
    ast: () => syntaxTrees(build.output, new Set(files.map(({ id }) => id))),
  };
}

/** Reads the build info again: settings are kept as they are, and seldom asked for. */
async function wholeInput({ input }: HardhatBuild): Promise<CompilerInput | undefined> {
  const read = await readJson(input, wholeInputSchema, LIMITS.buildInfoFile);
  if (!read) return undefined;
  const { sources, settings } = read.input;
  return { compilerVersion: read.solcLongVersion, sources, settings };
}

/** The compiler of Solidity does not optimize unless it is asked to (its documentation, "Input Description"). */
function isOptimized({
  language,
  settings: { optimizer },
}: Pick<HardhatInput, 'language' | 'settings'>): boolean | undefined {
  const isPartial = optimizer !== undefined && optimizer.enabled === undefined;
  return optimizer?.enabled ?? (language === 'Solidity' && !isPartial ? false : undefined);
}

/** By path and time of the build info, which the contracts of a project share. Released soon, since syntax trees are large. */
const treesByBuildInfo = new LRUCache<string, Promise<ReadonlyMap<number, unknown>>>({
  max: 2,
  ttl: 10_000,
  ttlAutopurge: true,
});

/** Reads the build info again: syntax trees are seldom asked for. */
async function syntaxTrees(
  buildInfo: string,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, unknown> | undefined> {
  const written = await stat(buildInfo).catch(() => undefined);
  const key = `${buildInfo} ${written?.mtimeMs ?? 0}`;
  const reading = treesByBuildInfo.get(key) ?? readTrees(buildInfo);
  treesByBuildInfo.set(key, reading);
  const trees = new Map([...(await reading)].filter(([id]) => ids.has(id)));
  return trees.size === 0 ? undefined : trees;
}

async function readTrees(buildInfo: string): Promise<ReadonlyMap<number, unknown>> {
  const info = await readJson(buildInfo, treesSchema, LIMITS.buildInfoFile);
  return new Map(
    Object.values(info?.output.sources ?? {}).flatMap(({ id, ast }) =>
      ast === undefined ? [] : [[id, ast] as const],
    ),
  );
}

/** Files that a contract was compiled from: a build info may contain the whole project. Undefined if unknown. */
function importedBy(metadata: string | undefined): ReadonlySet<string> | undefined {
  if (metadata === undefined) return undefined;
  try {
    const { data } = metadataSchema.safeParse(JSON.parse(metadata));
    return data && new Set(Object.keys(data.sources));
  } catch {
    return undefined;
  }
}

import * as z from 'zod';
import { layoutSchema } from '../abi/artifact';
import { LIMITS } from '../../api/limits';
import { builtFile } from '../../kernel/files/built-file';
import { readJson, sourcesByName, type Compilation } from './compilation';

const ranges = z.array(z.object({ start: z.int(), length: z.int() }));
const contractsSchema = z.object({
  hash: z.string(),
  contracts: z.record(
    z.string(),
    z.object({
      bytecode: z.string(),
      deployedBytecode: z.string(),
      immutableReferences: z.record(z.string(), ranges).optional(),
      storageLayout: layoutSchema,
    }),
  ),
});
const sourcesSchema = z.object({
  hash: z.string(),
  version: z.string(),
  /** With the commit and the platform. */
  compiler: z.string(),
  /** Besides the optimizer's. */
  compilerSettings: z.record(z.string(), z.unknown()),
  settings: z.object({
    runs: z.int(),
    viaIR: z.boolean(),
    evmVersion: z.string(),
  }),
  files: z.array(z.object({ name: z.string(), id: z.int(), content: z.string() })),
  contracts: z.record(
    z.string(),
    z.object({
      optimizer: z.boolean(),
      creationMap: z.string(),
      deployedMap: z.string(),
      transientStorageLayout: layoutSchema,
    }),
  ),
});
const treesSchema = z.object({ hash: z.string(), trees: z.record(z.string(), z.unknown()) });

/** Sources of the built-in chain's contracts, as the build wrote them. Files are read when a source is asked for. */
export class SandboxCompilations {
  #files: Promise<Files | undefined> | undefined;
  #trees: Promise<ReadonlyMap<number, unknown> | undefined> | undefined;

  /** @returns undefined for an unknown name, and if the build has not run */
  async of(name: string): Promise<Compilation | undefined> {
    const files = await (this.#files ??= readFiles());
    const contract = files?.contracts[name];
    const maps = files?.sources.contracts[name];
    if (!files || !contract || !maps) return undefined;
    const { version, settings } = files.sources;
    return {
      origin: 'sandbox',
      contractName: name,
      language: 'Solidity',
      compilerVersion: version,
      settings: { ...settings, optimizer: maps.optimizer },
      deployed: { object: contract.deployedBytecode.slice(2), sourceMap: maps.deployedMap },
      creation: { object: contract.bytecode.slice(2), sourceMap: maps.creationMap },
      files: files.sources.files,
      storageLayout: contract.storageLayout,
      transientStorageLayout: maps.transientStorageLayout,
      immutableReferences: contract.immutableReferences,
      input: () =>
        Promise.resolve({
          compilerVersion: files.sources.compiler.replace(/\.Emscripten.*$/, ''),
          sources: sourcesByName(files.sources.files),
          settings: {
            ...files.sources.compilerSettings,
            optimizer: { enabled: maps.optimizer, runs: settings.runs },
          },
        }),
      ast: () => (this.#trees ??= syntaxTrees(files.sources.hash)),
    };
  }
}

interface Files {
  contracts: z.infer<typeof contractsSchema>['contracts'];
  sources: z.infer<typeof sourcesSchema>;
}

const readBuilt = async <T>(name: string, schema: z.ZodType<T>): Promise<T | undefined> => {
  const path = builtFile(name);
  return path === undefined ? undefined : readJson(path, schema, LIMITS.artifactFile);
};

async function readFiles(): Promise<Files | undefined> {
  const [built, sources] = await Promise.all([
    readBuilt('sandbox-contracts.json', contractsSchema),
    readBuilt('sandbox-sources.json', sourcesSchema),
  ]);
  if (built === undefined || built.hash !== sources?.hash) return undefined;
  return { contracts: built.contracts, sources };
}

async function syntaxTrees(hash: string): Promise<ReadonlyMap<number, unknown> | undefined> {
  const built = await readBuilt('sandbox-ast.json', treesSchema);
  if (built?.hash !== hash) return undefined;
  return new Map(Object.entries(built.trees).map(([id, tree]) => [Number(id), tree]));
}

import { storageLayoutSchema } from '../verified/storage-layout-schema';
import type { KnownSource } from '../code-sources';
import { CompiledContract } from '../compiled-contract';
import type { CompilerInput, MappedCode } from '../compilation';
import type { SolcCode, SolcOutput } from '../compilers/solc-job';
import type { BuildSettings } from './build-settings';

/** A contract as it was built again. */
export interface BuiltContract {
  readonly contract: CompiledContract;
  readonly deployed: SolcCode;
  readonly creation: SolcCode;
}

/** Opens what a compiler made of a known source with other settings. */
export async function openBuilt(
  { contract: original }: KnownSource,
  made: SolcOutput['contracts'][number],
  output: SolcOutput,
  { optimizer, viaIR }: BuildSettings,
  { sources }: CompilerInput,
): Promise<BuiltContract> {
  const { compilation } = original;
  const paths = new Map(compilation.files.map(({ name, path }) => [name, path]));
  const trees = new Map(output.files.map(({ id, ast }) => [id, ast]));
  const layout = (given: unknown) => storageLayoutSchema.safeParse(given).data;
  const contract = await CompiledContract.open({
    ...compilation,
    settings: { ...compilation.settings, optimizer, viaIR, runs: undefined },
    deployed: mapped(made.deployed),
    creation: mapped(made.creation),
    files: output.files.flatMap(({ name, id }) => {
      const content = sources[name]?.content;
      const path = paths.get(name);
      if (content === undefined) return [];
      return [{ name, id, content, ...(path !== undefined && { path }) }];
    }),
    storageLayout: layout(made.storageLayout) ?? compilation.storageLayout,
    transientStorageLayout:
      layout(made.transientStorageLayout) ?? compilation.transientStorageLayout,
    immutableReferences: made.deployed.immutableReferences,
    ast: () => Promise.resolve(trees),
  });
  return { contract, deployed: made.deployed, creation: made.creation };
}

/** With zeros for the addresses of libraries, which the map does not depend on. */
const mapped = ({ object, sourceMap }: SolcCode): MappedCode | undefined =>
  object === ''
    ? undefined
    : { object: object.replace(/__.{38}/g, '0'.repeat(40)).toLowerCase(), sourceMap };

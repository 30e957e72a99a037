import * as z from 'zod';
import { CodeTemplate, type CodeMatch } from '../../abi/code-template';
import { LIMITS } from '../../../api/limits';
import type { SourceOrigin } from '../../../api/contract-source';
import { sourcesByName, type CompilerInput, type MappedCode } from '../compilation';
import type { KnownSource } from '../code-sources';
import { CompiledContract } from '../compiled-contract';
import type { SolcCode, SolcOutput } from '../compilers/solc-job';
import type { ExecutedCode } from '../program-source';
import { storageLayoutSchema } from './storage-layout-schema';
import type { VerifiedCode, VerifiedSource } from './verified-source';

const CODE_OUTPUTS = ['object', 'sourceMap', 'linkReferences'];
const OUTPUTS = [
  ...CODE_OUTPUTS.flatMap((one) => [`evm.bytecode.${one}`, `evm.deployedBytecode.${one}`]),
  'evm.deployedBytecode.immutableReferences',
  'storageLayout',
  'transientStorageLayout',
];
const optimizerSchema = z.object({
  optimizer: z
    .object({ enabled: z.boolean().optional(), details: z.unknown() })
    .optional()
    .catch(undefined),
  viaIR: z.boolean().optional().catch(undefined),
});

/** Why the compiler cannot be given a source; undefined if it can. */
export function whyNoInput({ compilerSettings, files }: VerifiedSource): string | undefined {
  if (compilerSettings === undefined) return 'the settings of its compiler are not known';
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  return bytes > LIMITS.compiledSources
    ? `its verified sources are longer than ${LIMITS.compiledSources / 1024 / 1024} MiB, and are not compiled`
    : undefined;
}

/** What the service says that the compiler was given; undefined if it does not say it, or if that is too long. */
export function givenInput(source: VerifiedSource): CompilerInput | undefined {
  if (whyNoInput(source) !== undefined) return undefined;
  const { compilerVersion, compilerSettings = '{}', files } = source;
  const settings = JSON.parse(compilerSettings) as Record<string, unknown>;
  const named = files.map(({ name, compiledAs = name, content }) => ({
    name: compiledAs,
    content,
  }));
  return { compilerVersion, settings, sources: sourcesByName(named) };
}

/** Standard input of the compiler, with what it is asked for. */
export function compilerInput(source: VerifiedSource): string {
  const { contractName, compilerSettings = '{}', files } = source;
  const sources = files.map(({ name, compiledAs = name, content }) => [compiledAs, { content }]);
  // The name may have its file before it.
  const name = contractName.split(':').at(-1) ?? '';
  return JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(sources) as object,
    settings: {
      ...(JSON.parse(compilerSettings) as object),
      outputSelection: { '*': { '': ['ast'], [name]: OUTPUTS } },
    },
  });
}

/**
 * What a compiler made of a source, with source maps and syntax trees.
 * @returns undefined if the output is not the code that runs, metadata, immutables and addresses of libraries apart
 */
export async function recompiledSource(
  source: VerifiedSource,
  output: SolcOutput,
  { code, isCreation }: ExecutedCode,
  origin: SourceOrigin,
): Promise<KnownSource | undefined> {
  const given = isCreation ? source.creation : source.deployed;
  for (const made of output.contracts) {
    const match = matchOf(isCreation ? made.creation : made.deployed, given, code, isCreation);
    if (!match) continue;
    const ids = new Map(output.files.map(({ name, id }) => [name, id]));
    const trees = new Map(output.files.map(({ id, ast }) => [id, ast]));
    const contract = await CompiledContract.open({
      origin,
      contractName: source.contractName,
      language: source.language,
      compilerVersion: source.compilerVersion,
      settings: { ...source.settings, ...usedSettings(source) },
      deployed: mapped(made.deployed),
      creation: mapped(made.creation),
      files: source.files.map(({ name, compiledAs = name, content }) => {
        return { name, content, id: ids.get(compiledAs) };
      }),
      storageLayout: storageLayoutSchema.safeParse(made.storageLayout).data ?? source.storageLayout,
      transientStorageLayout:
        storageLayoutSchema.safeParse(made.transientStorageLayout).data ??
        source.transientStorageLayout,
      immutableReferences: made.deployed.immutableReferences,
      ast: () => Promise.resolve(trees),
      input: () => Promise.resolve(givenInput(source)),
    });
    return { contract, match, identity: contract.fingerprint };
  }
  return undefined;
}

/** @param given the same code by the service, which knows where contracts that it creates have their metadata */
function matchOf(
  made: SolcCode,
  given: VerifiedCode | undefined,
  code: ExecutedCode['code'],
  isCreation: boolean,
): CodeMatch | undefined {
  const object = digitsOf(made);
  if (object === '') return undefined;
  const masks = [...made.links, ...Object.values(made.immutableReferences ?? {}).flat()];
  const metadata = given?.object.length === object.length ? given.metadata : [];
  return new CodeTemplate(object, masks, metadata).compare(code, isCreation);
}

/** With zeros for the addresses of libraries that are not known. */
const digitsOf = ({ object }: SolcCode): string =>
  object.replace(/__.{36}__|__[^_].{37}/g, '0'.repeat(40)).toLowerCase();

const mapped = (code: SolcCode): MappedCode | undefined =>
  code.object === '' ? undefined : { object: digitsOf(code), sourceMap: code.sourceMap };

/** Settings that were left out have the defaults of the compiler. */
function usedSettings({ compilerSettings = '{}' }: VerifiedSource): {
  optimizer: boolean;
  viaIR: boolean;
} {
  const { optimizer, viaIR = false } = optimizerSchema.parse(JSON.parse(compilerSettings));
  // Its parts can be switched on alone.
  const isOptimized = optimizer?.details === undefined ? optimizer?.enabled : true;
  return { optimizer: isOptimized ?? false, viaIR };
}

import type { ProgramFacts } from '../languages/port/program-facts';
import type { ExecutedCode } from './executed-codes';

/** What the variables are read with; undefined if the source is not known. */
export function programFacts({
  program,
  isCreation: isMade,
}: ExecutedCode): ProgramFacts | undefined {
  if (!program) return undefined;
  const { map, contractName, ast, whyNoTree, storageLayout, transientStorageLayout } = program;
  const { immutables, immutableReferences, compilerVersion: version, optimizer, viaIR } = program;
  return {
    map,
    text: (file) => program.text(file),
    language: program.language,
    compilerVersion: version,
    contract: contractName,
    isCreation: isMade,
    trees: ast ?? new Map(),
    whyNoTree,
    layout: storageLayout,
    transientLayout: transientStorageLayout,
    immutables: immutableReferences,
    namedImmutables: immutables,
    ...(optimizer !== undefined && { compiler: { version, optimizer, viaIR: viaIR ?? false } }),
  };
}
